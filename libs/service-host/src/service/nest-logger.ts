import { AsyncLocalStorage } from 'node:async_hooks';
import type { LoggerService } from '@nestjs/common';
import type { Logger } from '@bascule/process';

const scope = new AsyncLocalStorage<Logger>();

/** Runs a function whose Nest log lines go to the logger of this service. */
export const withNestLogger = <T>(logger: Logger, run: () => T): T => scope.run(logger, run);

type Level = 'fatal' | 'error' | 'warn' | 'debug' | 'trace';

function write(level: Level, message: unknown, details: unknown[]): void {
  const context = details.at(-1);
  const err = message instanceof Error ? message : details.find((each) => each instanceof Error);
  const text = message instanceof Error ? message.message : String(message);
  scope.getStore()?.[level]({ nest: context, ...(err instanceof Error && { err }) }, text);
}

/** Nest logger of the process, which forwards each line to the logger of the current service. */
export const nestLogger: LoggerService = {
  // Nest logs each module and route at its start; these are debug details.
  log: (message: unknown, ...details: unknown[]) => {
    write('trace', message, details);
  },
  fatal: (message: unknown, ...details: unknown[]) => {
    write('fatal', message, details);
  },
  error: (message: unknown, ...details: unknown[]) => {
    write('error', message, details);
  },
  warn: (message: unknown, ...details: unknown[]) => {
    write('warn', message, details);
  },
  debug: (message: unknown, ...details: unknown[]) => {
    write('debug', message, details);
  },
  verbose: (message: unknown, ...details: unknown[]) => {
    write('trace', message, details);
  },
};
