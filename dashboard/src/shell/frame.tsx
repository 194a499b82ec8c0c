import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { newVersion } from '../api/new-version.js';
import { Button } from '../components/button.js';
import { Notice } from '../components/notice.js';
import { text } from '../texts/text.js';

/** A link of the menu. */
export interface MenuLink {
  readonly href: string;
  readonly label: string;
  /** Other paths below which it is the current link. */
  readonly also?: readonly string[];
}

interface FrameProps {
  /** The owner of these pages, as a link home. */
  readonly brand: ComponentChildren;
  readonly links: readonly MenuLink[];
  /** Shown above the links. */
  readonly menuStart?: ComponentChildren;
  /** Shown below the links. */
  readonly menuEnd: ComponentChildren;
  readonly menuState: MenuState;
  /** The view. */
  readonly children: ComponentChildren;
}

type MenuState = readonly [open: boolean, setOpen: (open: boolean) => void];

/** Whether the menu of a small screen is open. Going to another view closes it. */
export function useMenuState(): MenuState {
  const { path } = useLocation();
  const [openAt, setOpenAt] = useState<string>();
  return [openAt === path, (open) => setOpenAt(open ? path : undefined)];
}

/** Lays out the pages of members and of operators: the menu, and the view beside it. */
export function Frame({ brand, links, menuStart, menuEnd, menuState, children }: FrameProps) {
  const { path } = useLocation();
  const [open, setOpen] = menuState;
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {text.shell.skip}
      </a>
      <header class="sidebar">
        {brand}
        <button
          type="button"
          class="button button-quiet menu-button"
          aria-expanded={open}
          aria-controls="menu"
          onClick={() => setOpen(!open)}
        >
          {text.shell.menu}
        </button>
        <div id="menu" class={open ? 'menu menu-open' : 'menu'}>
          {menuStart}
          <nav class="nav" aria-label={text.shell.navigation}>
            {links.map((link) => (
              <a key={link.href} href={link.href} aria-current={currentOf(path, link)}>
                {link.label}
              </a>
            ))}
          </nav>
          {menuEnd}
        </div>
      </header>
      <main id="content" class="content stack" tabIndex={-1}>
        {newVersion.value && (
          <Notice kind="warn" title={text.common.newVersion}>
            <div>
              <Button small onClick={() => location.reload()}>
                {text.common.reload}
              </Button>
            </div>
          </Notice>
        )}
        {children}
      </main>
    </div>
  );
}

function currentOf(path: string, { href, also = [] }: MenuLink): 'page' | 'true' | undefined {
  if (path === href) return 'page';
  const isWithin = (other: string) => path === other || path.startsWith(`${other}/`);
  return [href, ...also].some(isWithin) ? 'true' : undefined;
}
