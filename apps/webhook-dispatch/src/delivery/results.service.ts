import { setTimeout as delay } from 'node:timers/promises';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { type DeliveryResult, ResultsRepository } from '../persistence/results.repository.js';

/** Results of this long are written together. */
const PACE_MS = 5;
const MOST_AT_ONCE = 500;

interface Waiting {
  result: DeliveryResult;
  resolve: (written: boolean) => void;
}

/** Writes results in batches, a batch after another; who waits for one holds its slot, which bounds how many wait. */
@Injectable()
export class ResultWriter {
  private waiting: Waiting[] = [];
  private writing: Promise<void> | undefined;

  constructor(
    private readonly results: ResultsRepository,
    private readonly context: ServiceContext,
  ) {}

  /**
   * True when it was written; false when the delivery is somebody else's by now. Without a database neither: then its lease
   * ends, and it is attempted again.
   */
  write(result: DeliveryResult): Promise<boolean> {
    const written = new Promise<boolean>((resolve) => {
      this.waiting.push({ result, resolve });
    });
    this.writing ??= this.writeAll().finally(() => (this.writing = undefined));
    return written;
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.length > 0) {
      if (this.waiting.length < MOST_AT_ONCE) await delay(PACE_MS);
      await this.writeBatch(this.waiting.splice(0, MOST_AT_ONCE));
    }
  }

  private async writeBatch(batch: Waiting[]): Promise<void> {
    let written = new Set<string>();
    try {
      written = await this.results.write(batch.map(({ result }) => result));
    } catch (error) {
      this.context.logger.warn(
        { err: error, results: batch.length },
        'writing results failed; these deliveries are attempted again when their leases end',
      );
    }
    for (const { result, resolve } of batch) resolve(written.has(result.id));
  }
}
