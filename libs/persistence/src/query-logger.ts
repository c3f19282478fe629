import type { Logger } from '@bascule/process';
import type { Logger as TypeOrmLogger } from 'typeorm';

/** Logs slow queries without parameters, which may be personal data. */
export class QueryLogger implements TypeOrmLogger {
  constructor(private readonly logger: Logger) {}

  logQuery(): void {}

  logQueryError(error: string | Error, query: string): void {
    this.logger.debug({ err: error, query }, 'query failed');
  }

  logQuerySlow(time: number, query: string): void {
    this.logger.warn({ ms: time, query }, 'slow query');
  }

  logSchemaBuild(message: string): void {
    this.logger.debug(message);
  }

  logMigration(message: string): void {
    this.logger.info(message);
  }

  log(level: 'log' | 'info' | 'warn', message: unknown): void {
    this.logger[level === 'warn' ? 'warn' : 'debug'](String(message));
  }
}
