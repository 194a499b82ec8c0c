import type { Middleware } from 'koa';
import { builtInSchemas } from '../domain/event-type/built-in.js';
import { allProblems } from '../api/problem.js';
import { methodReply, readOnly, type RequestState } from '../api/replies.js';

interface Page {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A page of text: it loads and runs nothing, and no other page frames it. */
const htmlHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
};

/** Serves the public pages behind the `type` of a Problem and the `dataschema` of an event. */
export function serveReferencePages(origin: string): Middleware<RequestState> {
  const pages = new Map([...problemPages(), ...schemaPages(origin)]);
  return (ctx, next) => {
    const page = pages.get(ctx.path);
    if (!page) return next();
    ctx.state.reply = methodReply(ctx.method, readOnly) ?? { status: 200, ...page };
    return Promise.resolve();
  };
}

function problemPages(): [string, Page][] {
  return Object.entries(allProblems).map(([code, { status, title, page }]) => {
    const text = [
      '<!doctype html>',
      `<html lang="en"><meta charset="utf-8"><title>${escape(title)}</title>`,
      `<h1>${escape(title)}</h1>`,
      `<p>Status ${status}, code <code>${code}</code></p>`,
      `<p>${escape(page)}</p></html>`,
      '',
    ].join('\n');
    return [`/problems/${code.replaceAll('_', '-')}`, { headers: htmlHeaders, text }];
  });
}

function schemaPages(origin: string): [string, Page][] {
  return [...builtInSchemas()].map(([name, schema]) => {
    const path = `/schemas/events/${name}`;
    const text = JSON.stringify({ $id: origin + path, ...schema }, undefined, 2);
    return [path, { headers: { 'Content-Type': 'application/schema+json' }, text }];
  });
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
