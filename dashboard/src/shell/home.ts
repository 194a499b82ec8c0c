import { base } from '../api/base.js';

/** The path of the start page. */
export const home = `${base}/overview`;
