import { ConfigurationError } from '@bascule/process';
import { describe, expect, it } from '@jest/globals';
import { OperatorError, UsageError } from './operator-error.js';
import { runCommand } from './run-command.js';

async function run(work: Parameters<typeof runCommand>[1]) {
  const results: unknown[] = [];
  const notes: string[] = [];
  const code = await runCommand('things', work, {
    line: (text) => results.push(text),
    json: (value) => results.push(value),
    note: (text) => notes.push(text),
  });
  return { code, results, notes };
}

const failing = (error: Error) => run(() => Promise.reject(error));

describe('runCommand', () => {
  it('exits with 0 after full success and with 1 after a partial refusal', async () => {
    const done = await run(async (output) => {
      output.line('one');
      output.json({ two: 2 });
    });
    expect(done).toEqual({ code: 0, results: ['one', { two: 2 }], notes: [] });
    expect(await run(() => Promise.resolve(true))).toMatchObject({ code: 0 });
    expect(await run(() => Promise.resolve(false))).toMatchObject({ code: 1, notes: [] });
  });

  it('exits with 2 for a wrong command line and with 1 for any other error', async () => {
    const wrong = await failing(new UsageError('--id is missing'));
    expect(wrong).toMatchObject({ code: 2, notes: ['things: --id is missing'] });
    const refused = await failing(new OperatorError('thing not found'));
    expect(refused).toMatchObject({ code: 1, notes: ['things: thing not found'] });
    const configuration = await failing(new ConfigurationError(['DATABASE_URL is missing']));
    expect(configuration.code).toBe(1);
    expect(configuration.notes[0]).toContain('DATABASE_URL is missing');
  });

  it('prints no credentials of a URL in an unexpected error', async () => {
    const { code, notes } = await failing(new Error('cannot reach http://user:pass@host/path'));
    expect(code).toBe(1);
    expect(notes).toEqual(['things: cannot reach http://host']);
  });

  it('prints the kind of an error without a message', async () => {
    const { notes } = await failing(new AggregateError([]));
    expect(notes).toEqual(['things: AggregateError']);
  });
});
