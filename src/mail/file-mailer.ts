import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { composeMessage } from './compose-message.js';
import type { Mailer } from './mailer.js';

const slots = 5;

/**
 * Makes a mailer that writes each mail into `folder` as an `.eml` file, named after its Message-ID.
 * Each write is atomic, and a mail that is sent again replaces its file.
 */
export function fileMailer(from: string, folder: string): Mailer {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    destination: folder,
    slots,
    async send(mail) {
      try {
        const { message } = await composer.sendMail(composeMessage(mail, from));
        await writeAtomically(folder, `${fileNameOf(mail.messageId)}.eml`, message as Buffer);
        return { kind: 'sent' };
      } catch (error) {
        const { code = 'unknown', message: detail } = error as NodeJS.ErrnoException;
        return { kind: 'failed', reason: code, detail };
      }
    },
    close: () => composer.close(),
  };
}

function fileNameOf(messageId: string): string {
  return messageId.replace(/[<>]/g, '').replace(/[^\w.@-]/g, '_');
}

async function writeAtomically(folder: string, name: string, content: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.${randomUUID()}.tmp`);
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, join(folder, name));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
