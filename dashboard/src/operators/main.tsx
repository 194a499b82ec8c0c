// The theme is imported first: all other modules wait for the texts, and the page must not flash meanwhile.
import '../shell/theme.js';
import { render } from 'preact';
import { followOtherTabs } from '../api/session.js';
import { language } from '../texts/language.js';
import { OperatorApp } from './operator-app.js';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/controls.css';
import '../styles/surfaces.css';
import '../styles/shell.css';
import './operators.css';

document.documentElement.lang = language;
followOtherTabs();
const root = document.getElementById('app');
if (root) render(<OperatorApp />, root);
