import { expect } from 'chai';
import { outcomeOf, type SmtpError } from '../../../src/mail/mailer.js';

const kindOf = (command: string, response: string) =>
  outcomeOf(
    Object.assign(new Error('no'), { command, response, responseCode: Number.parseInt(response) }),
  ).kind;

describe('the outcome of a mail that was not accepted', () => {
  it('counts a mail as refused when there is no such mailbox', () => {
    for (const reply of ['550 no such user', '550 5.1.1 unknown', '551 moved', '553 bad name']) {
      expect(kindOf('RCPT TO', reply), reply).to.equal('refused');
    }
    expect(kindOf('RCPT TO', '556 5.1.10 takes no mail')).to.equal('refused');
  });

  it('counts a mail as failed where trying again, or another setting, may help', () => {
    const later = [
      '450 later',
      '452 full',
      '550 5.7.1 relay',
      '550-5.7.1 relay',
      '554 5.7.1 relay',
    ];

    for (const reply of [...later, '552 full', '530 log in first', '503 what']) {
      expect(kindOf('RCPT TO', reply), reply).to.equal('failed');
    }

    for (const command of ['CONN', 'AUTH LOGIN', 'MAIL FROM', 'DATA']) {
      expect(kindOf(command, '550 no'), command).to.equal('failed');
    }
  });

  it('logs a reason of codes only', () => {
    const error: SmtpError = Object.assign(
      new Error('Recipient command failed: ops@shop.example'),
      {
        code: 'EENVELOPE',
        command: 'RCPT TO',
        responseCode: 450,
        response: '450 ops@shop.example is busy',
      },
    );

    expect(outcomeOf(error)).to.deep.equal({
      kind: 'failed',
      reason: 'EENVELOPE RCPT TO 450',
      detail: '450 ops@shop.example is busy',
    });

    expect(outcomeOf(new Error('what?'))).to.include({ reason: 'internal_error', detail: 'what?' });
  });
});
