import type { Middleware } from 'koa';
import { builtInSchemas } from '../domain/event-type/built-in.js';
import { allProblems } from '../api/problem-table.js';
import { ApiError } from '../api/problem.js';
import type { RequestState } from '../api/request-state.js';

interface Page {
  readonly type: string;
  readonly text: string;
}

/** Serves the public pages behind the `type` of a Problem and the `dataschema` of an event. */
export function serveReferencePages(origin: string): Middleware<RequestState> {
  const pages = new Map([...problemPages(), ...schemaPages(origin)]);
  return (ctx, next) => {
    const page = pages.get(ctx.path);
    if (!page) return next();
    if (ctx.method === 'OPTIONS') {
      ctx.state.reply = { status: 204, headers: { Allow: 'GET, HEAD, OPTIONS' }, text: null };
    } else if (ctx.method === 'GET' || ctx.method === 'HEAD') {
      ctx.state.reply = { status: 200, headers: { 'Content-Type': page.type }, text: page.text };
    } else {
      const detail = `Method ${ctx.method} is not allowed here.`;
      const headers = { Allow: 'GET, HEAD, OPTIONS' };
      throw new ApiError('method_not_allowed', detail, { headers });
    }
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
    return [`/problems/${code.replaceAll('_', '-')}`, { type: 'text/html; charset=utf-8', text }];
  });
}

function schemaPages(origin: string): [string, Page][] {
  return [...builtInSchemas()].map(([name, schema]) => {
    const path = `/schemas/events/${name}`;
    const text = JSON.stringify({ $id: origin + path, ...schema }, undefined, 2);
    return [path, { type: 'application/schema+json', text }];
  });
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
