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
  it('has the origin of a URL at most, whatever the error and its causes say', () => {
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

  it('keeps the places of a stack', () => {
    expect(written((logger) => logger.error({ err: new Error('x') }))).toContain('logger.spec');
  });

  it('redacts fields that hold secrets', () => {
    const line = written((logger) =>
      logger.info({ token: 'KEY', request: { headers: { authorization: 'KEY' } } }),
    );
    expect(line).not.toContain('KEY');
    expect(line).toContain('***');
  });
});
