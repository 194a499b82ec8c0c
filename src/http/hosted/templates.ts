import { Eta } from 'eta';

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

// <%= escapes its value. <%~ does not: use it only for parts rendered here.
const eta = new Eta({ autoEscape: true, cache: true });

const documentText = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title><%= it.title %></title>
<style><%~ it.style %></style>
</head>
<body>
<header><p><%= it.seller %></p></header>
<main>
<%~ it.body %>
</main>
<footer><p>Checkout by Signalpost</p></footer>
</body>
</html>
`;

const summaryText = `<section aria-labelledby="summary">
<h2 id="summary">Summary</h2>
<ul class="items">
<% for (const item of it.items) { %>
<li><span class="name"><%= item.name %><small><%= item.quantity %> × <span class="price"><%= item.unit %></span></small></span>
<span class="price amount"><%= item.amount %></span></li>
<% } %>
</ul>
<dl class="totals">
<% for (const row of it.totals) { %>
<div<% if (row.total) { %> class="total"<% } %>><dt><%= row.label %></dt><dd class="price amount"><%= row.amount %></dd></div>
<% } %>
</dl>
</section>`;

const openText = `<h1>Pay <%= it.seller %></h1>
<p class="due">Open until <time datetime="<%= it.expires.instant %>"><%= it.expires.text %></time></p>
<% if (it.formErrors.length > 0) { %>
<div class="alert" role="alert">
<h2>The payment was not made</h2>
<ul>
<% for (const error of it.formErrors) { %>
<li><% if (error.field) { %><a href="#<%= error.field %>"><%= error.text %></a><% } else { %><%= error.text %><% } %></li>
<% } %>
</ul>
</div>
<% } %>
<%~ it.summary %>
<form method="post" novalidate aria-labelledby="payment"<% if (it.framed) { %> target="_top"<% } %>>
<h2 id="payment">Payment</h2>
<div class="field">
<% if (it.locked) { %>
<strong>E-mail</strong>
<p class="given"><%= it.email.value %></p>
<% } else { %>
<label for="buyer_email">E-mail</label>
<input id="buyer_email" name="buyer_email" type="text" inputmode="email" required autocomplete="email" autocapitalize="none" spellcheck="false" value="<%= it.email.value %>"<% if (it.email.error) { %> aria-invalid="true" aria-describedby="buyer_email_error"<% } %><% if (it.firstWrong === 'buyer_email') { %> autofocus<% } %>>
<% if (it.email.error) { %><p class="error" id="buyer_email_error"><%= it.email.error %></p><% } %>
<% } %>
</div>
<div class="field">
<label for="buyer_name">Name <small>(optional)</small></label>
<input id="buyer_name" name="buyer_name" type="text" autocomplete="name" value="<%= it.name.value %>"<% if (it.name.error) { %> aria-invalid="true" aria-describedby="buyer_name_error"<% } %><% if (it.firstWrong === 'buyer_name') { %> autofocus<% } %>>
<% if (it.name.error) { %><p class="error" id="buyer_name_error"><%= it.name.error %></p><% } %>
</div>
<fieldset>
<legend>Payment method</legend>
<label for="method"><input id="method" type="radio" name="method" value="<%= it.method %>" checked required<% if (it.methodError) { %> aria-invalid="true" aria-describedby="method_error"<% } %><% if (it.firstWrong === 'method') { %> autofocus<% } %>> Sandbox: succeeds at once, no money moves</label>
<% if (it.methodError) { %><p class="error" id="method_error"><%= it.methodError %></p><% } %>
</fieldset>
<button type="submit">Pay <span class="price"><%= it.total %></span></button>
</form>
<% if (it.cancelUrl) { %><p class="back"><a href="<%= it.cancelUrl %>"<% if (it.framed) { %> target="_top"<% } %>>Back to <%= it.seller %> without paying</a></p><% } %>`;

const elsewhereText = `<h1>Checkout of <%= it.seller %></h1>
<p class="due">Open until <time datetime="<%= it.expires.instant %>"><%= it.expires.text %></time></p>
<%~ it.summary %>
<section aria-labelledby="payment">
<h2 id="payment">Payment</h2>
<p>Payment is made in the shop. Nothing can be paid on this page.</p>
</section>
<% if (it.cancelUrl) { %><p class="back"><a href="<%= it.cancelUrl %>"<% if (it.framed) { %> target="_top"<% } %>>Back to <%= it.seller %></a></p><% } %>`;

const completedText = `<section>
<h1>This checkout is paid</h1>
<p>Thank you. There is nothing else to do here.</p>
<a class="button" href="<%= it.thankYouUrl %>"<% if (it.framed) { %> target="_top"<% } %>>Continue to <%= it.seller %></a>
</section>
<%~ it.summary %>`;

const expiredText = `<section>
<h1>This checkout has expired</h1>
<p>It could be paid until <time datetime="<%= it.expires.instant %>"><%= it.expires.text %></time>. If you had not started to pay by then, please start again at the shop.</p>
<% if (it.cancelUrl) { %><a class="button" href="<%= it.cancelUrl %>"<% if (it.framed) { %> target="_top"<% } %>>Back to <%= it.seller %></a><% } %>
</section>`;

const closedText = `<section>
<h1>This checkout is closed</h1>
<p>Its offer was withdrawn or has already been accepted. Nothing was charged here.</p>
<a class="button" href="<%= it.cancelUrl %>"<% if (it.framed) { %> target="_top"<% } %>>Back to the offer</a>
</section>`;

const offerHead = `<h1><%= it.title %></h1>
<p class="due">An offer from <%= it.seller %></p>`;

const offerSentText = `${offerHead}
<% if (it.message !== null) { %>
<section aria-label="Message">
<p class="message"><%= it.message %></p>
</section>
<% } %>
<%~ it.summary %>
<form method="post" aria-labelledby="accept">
<h2 id="accept">Accept</h2>
<p>You accept by paying, until <time datetime="<%= it.expires.instant %>"><%= it.expires.text %></time>.</p>
<button type="submit">Continue to pay <span class="price"><%= it.total %></span></button>
</form>`;

const offerAcceptedText = `${offerHead}
<section>
<h2>Accepted and paid</h2>
<p>Thank you. There is nothing else to do here.</p>
</section>
<%~ it.summary %>`;

const offerCancelledText = `${offerHead}
<section>
<h2>This offer was withdrawn</h2>
<p>Nothing was charged. If you have questions, please ask <%= it.seller %>.</p>
</section>`;

const offerExpiredText = `${offerHead}
<section>
<h2>This offer has expired</h2>
<p>It was open until <time datetime="<%= it.expires.instant %>"><%= it.expires.text %></time>. Please ask <%= it.seller %> for a new one.</p>
</section>`;

const refusalText = `<section>
<h1><%= it.title %></h1>
<p><%= it.text %></p>
</section>`;

const movedText = `<section>
<h1><%= it.title %></h1>
<a class="button" href="<%= it.location %>">Continue</a>
</section>`;

const texts = {
  document: documentText,
  summary: summaryText,
  open: openText,
  elsewhere: elsewhereText,
  completed: completedText,
  expired: expiredText,
  closed: closedText,
  'offer-sent': offerSentText,
  'offer-accepted': offerAcceptedText,
  'offer-cancelled': offerCancelledText,
  'offer-expired': offerExpiredText,
  refusal: refusalText,
  moved: movedText,
} as const;
for (const [name, text] of Object.entries(texts)) eta.loadTemplate(`@${name}`, text);

/** Renders one part of a page. Escapes each value except rendered parts. */
export function renderPart(name: Exclude<keyof typeof texts, 'document'>, values: object): string {
  return eta.render(`@${name}`, values);
}

/** Renders a whole page around a part. */
export function renderPage(page: { title: string; seller: string; body: string }): string {
  return eta.render('@document', { ...page, style });
}
