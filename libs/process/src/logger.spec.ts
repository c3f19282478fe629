import { describe, expect, it } from '@jest/globals';
import { createLogger, type Logger } from './logger.js';

function written(log: (logger: Logger) => void): string {
  const lines: string[] = [];
  log(
    createLogger({ service: 'test', level: 'info' }, { write: (line: string) => lines.push(line) }),
  );
  return lines.join('');
}

const URL_WITH_KEY = 'https://rpc.example:8545/v2/KEY?key=KEY';

describe('a log line', () => {
  it('contains at most the origin of a URL, also in errors and causes', () => {
    const cause = Object.assign(new Error(`fetch of ${URL_WITH_KEY} failed`), {
      url: URL_WITH_KEY,
      metaMessages: [`URL: ${URL_WITH_KEY}`],
    });
    const err = new AggregateError([cause], 'no endpoint', { cause: new Error('x', { cause }) });
    for (const line of [
      written((logger) => logger.warn({ err, chain: 'alphanet' }, 'unreadable')),
      written((logger) => logger.warn(err)),
      written((logger) => logger.warn({ reason: cause.message }, cause.message)),
    ]) {
      expect(line).not.toContain('KEY');
      expect(line).toContain('rpc.example:8545');
      expect(() => JSON.parse(line) as unknown).not.toThrow();
    }
  });

  it('keeps the positions of a stack trace', () => {
    expect(written((logger) => logger.error({ err: new Error('x') }))).toContain('logger.spec');
  });

  it('contains no data of a failed query, and leaves the error unchanged', () => {
    const driverError = Object.assign(new Error('duplicate key value violates "one_label"'), {
      code: '23505',
      detail: 'Key (label)=(PERSONAL) already exists.',
      where: 'unnamed portal parameter $1 = PERSONAL',
    });
    const about = { query: 'INSERT PERSONAL', parameters: ['PERSONAL'], driverError };
    const failed = Object.assign(new Error(driverError.message), driverError, about);
    const err = new AggregateError([failed], 'no row', {
      cause: new Error('x', { cause: failed }),
    });
    for (const line of [
      written((logger) => logger.error({ err: failed })),
      written((logger) => logger.error({ err })),
      written((logger) => logger.error(failed)),
    ]) {
      expect(line).not.toContain('PERSONAL');
      expect(line).toContain('one_label');
      expect(line).toContain('23505');
    }
    expect(failed).toMatchObject({ parameters: ['PERSONAL'], driverError: { code: '23505' } });
    expect(driverError.detail).toContain('PERSONAL');
  });

  it('redacts fields that hold secrets', () => {
    const line = written((logger) =>
      logger.info({ token: 'KEY', request: { headers: { authorization: 'KEY' } } }),
    );
    expect(line).not.toContain('KEY');
    expect(line).toContain('***');
  });
});
