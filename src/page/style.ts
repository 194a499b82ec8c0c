/** The CSS of every page. It is inlined; Content-Security-Policy allows it by hash. */
export const style = `
:root { color-scheme: light; --ink: #17202a; --soft: #4b5563; --line: #d5dae1; --accent: #1d4ed8; }
* { box-sizing: border-box; }
body { margin: 0; overflow-wrap: anywhere; background: #eef1f5; color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
header, main, footer { max-width: 30rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 1.5rem; color: var(--soft); }
header p { margin: 0; font-weight: 600; }
main { padding-top: .75rem; }
footer { padding-top: 1rem; padding-bottom: 2rem; font-size: .875rem; color: var(--soft); }
h1 { margin: 0 0 .25rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 0 0 .75rem; font-size: 1.125rem; }
section, form, .alert { background: #fff; border: 1px solid var(--line); border-radius: .75rem;
  padding: 1.25rem; margin-top: 1rem; }
p.message { margin: 0; white-space: pre-line; }
.due { margin: 0; color: var(--soft); }
ul.items { list-style: none; margin: 0; padding: 0; }
ul.items li, dl.totals div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem;
  padding: .375rem 0; }
ul.items .name { flex: 1 1 0; min-width: min(9rem, 100%); }
ul.items small { display: block; color: var(--soft); font-size: .875rem; }
.price { white-space: nowrap; font-variant-numeric: tabular-nums; }
.amount { flex: none; margin-left: auto; text-align: right; }
dl.totals { margin: .5rem 0 0; padding-top: .5rem; border-top: 1px solid var(--line); }
dl.totals dd { margin: 0 0 0 auto; }
dl.totals .total { font-size: 1.125rem; font-weight: 700; }
label, legend { font-weight: 600; }
.field { margin-bottom: 1rem; }
.field label { display: block; margin-bottom: .25rem; }
.field small { color: var(--soft); font-weight: 400; }
input[type=text] { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit;
  color: inherit; background: #fff; border: 1px solid #6b7280; border-radius: .5rem; }
input[aria-invalid=true] { border: 2px solid #b42318; }
.error { margin: .25rem 0 0; color: #b42318; }
.given { margin: 0; }
fieldset { margin: 0 0 1rem; padding: .75rem; border: 1px solid var(--line); border-radius: .5rem; min-width: 0; }
fieldset label { display: flex; gap: .5rem; align-items: center; min-height: 1.75rem; font-weight: 400; }
fieldset input { width: 1.25rem; height: 1.25rem; flex: none; accent-color: var(--accent); }
button, a.button { display: block; width: 100%; min-height: 3rem; padding: .75rem 1rem; font: inherit;
  font-weight: 700; text-align: center; text-decoration: none; color: #fff; background: var(--accent);
  border: 0; border-radius: .5rem; cursor: pointer; }
button:hover, a.button:hover { background: #1e3a8a; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid #f59e0b; outline-offset: 2px; }
a.button:focus-visible, button:focus-visible { outline-color: var(--ink); }
.alert { border: 2px solid #b42318; }
.alert h2 { margin-bottom: .25rem; }
.alert ul { margin: 0; padding-left: 1.25rem; }
.back { margin: 1rem 0 0; text-align: center; }
@media (max-width: 24rem) {
  section, form, .alert { padding: 1rem .75rem; }
  dl.totals .total { font-size: 1rem; }
  button, a.button { padding: .75rem 0; }
}
`;
