import { RepeatedWarning, ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { BatchedWritesRepository } from '../persistence/batched-writes.repository.js';
import { type DeliveryResult, ResultsRepository } from '../persistence/results.repository.js';

/** Pace of the batches: only a slot waits for a result. */
const PACE_MS = 20;

/** Writes results in batches. Each result holds its slot until it is written, which bounds the queue. */
@Injectable()
export class ResultWriterService {
  private readonly writes: BatchedWritesRepository<DeliveryResult, boolean>;
  private readonly trouble: RepeatedWarning;

  constructor(results: ResultsRepository, { logger }: ServiceContext) {
    this.writes = new BatchedWritesRepository(PACE_MS, async (batch) => {
      const written = await results.write(batch);
      return batch.map(({ id }) => written.has(id));
    });
    this.trouble = new RepeatedWarning(
      logger,
      'writing results failed; these deliveries are attempted again when their leases end',
    );
  }

  /**
   * True when the result was written; false when another process holds the lease or the database is unavailable. In the
   * second case the delivery is attempted again after its lease.
   */
  async write(result: DeliveryResult): Promise<boolean> {
    try {
      const written = await this.writes.add(result);
      this.trouble.clear();
      return written;
    } catch (err) {
      this.trouble.report(err instanceof Error ? err.message : String(err), { err });
      return false;
    }
  }
}
