import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@bascule/process';
import { QueryFailedError } from 'typeorm';
import { QueryLogger } from './query-logger.js';

describe('QueryLogger', () => {
  it('logs failed and slow queries without their parameters', () => {
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(line);
    const logger = new QueryLogger(createLogger({ service: 'test', level: 'debug' }, { write }));
    const driverError = Object.assign(new Error('duplicate key'), { detail: '(label)=(PERSONAL)' });
    const sql = 'INSERT INTO webhooks VALUES ($1)';
    logger.logQueryError(new QueryFailedError(sql, ['PERSONAL'], driverError), sql);
    logger.logQuerySlow(1_500, sql);
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(line).toContain(sql);
      expect(line).not.toContain('PERSONAL');
    }
  });
});
