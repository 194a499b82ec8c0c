import { defineConfig, type Plugin } from 'vite';

/** The listeners of `npm start`, which answer what the pages send while Vite serves them. */
const service = 'http://127.0.0.1:8080';
const internal = 'http://127.0.0.1:8081';
const proxied = ['/dashboard/graphql', '/dashboard/session', '/stream'];

/** Nothing is painted before the script has set the chosen theme, so that it does not flash. */
const paintOnceThemed: Plugin = {
  name: 'paint-once-themed',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replace('<script type="module"', '$& blocking="render"'),
  },
};

/** The mode `operators` is that of the pages at the internal listener; every other is that of members. */
export default defineConfig(({ mode }) => {
  const operators = mode === 'operators';
  const target = operators ? internal : service;
  const top = operators ? '../' : '';
  return {
    root: operators ? `${import.meta.dirname}/operators` : import.meta.dirname,
    base: '/dashboard/',
    publicDir: false,
    plugins: [paintOnceThemed],
    build: {
      outDir: `${top}../dist/dashboard${operators ? '/operators' : ''}`,
      // Compiled tests of pure rules are beside it.
      emptyOutDir: false,
      manifest: 'manifest.json',
      target: 'es2022',
      // The policy of the page allows no inline code and no data of style sheets.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // Vite shows a view without its style sheet once that did not load. All of them compress to 7 KB.
      cssCodeSplit: false,
      reportCompressedSize: false,
      // What every view needs is one file: small ones compress worse, and each is a request.
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              { name: 'shell', tags: ['$initial'], test: /^(?!.*(?:main\.tsx|index\.html)$)/ },
            ],
          },
        },
      },
    },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    server: {
      port: operators ? 5174 : 5173,
      strictPort: true,
      proxy: Object.fromEntries(proxied.map((path) => [path, { target }])),
    },
  };
});
