import type { Middleware } from 'koa';
import { builtInSchemas } from '../domain/event-type/built-in.js';
import { allProblems } from '../api/problem-table.js';
import { methodReply, readOnly } from '../api/method-reply.js';
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
    const { type, text } = page;
    const reply = { status: 200, headers: { 'Content-Type': type }, text };
    ctx.state.reply = methodReply(ctx.method, readOnly) ?? reply;
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
