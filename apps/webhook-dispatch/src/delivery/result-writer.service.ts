import { RepeatedWarning, ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { BatchedWritesRepository } from '../persistence/batched-writes.repository.js';
import { type DeliveryResult, ResultsRepository } from '../persistence/results.repository.js';

/** Interval of batches, which delays only the release of a slot. */
const PACE_MS = 20;

/** Writes results in batches. Each result holds its slot until it is written, which bounds the queue. */
@Injectable()
export class ResultWriterService {
  private readonly writes: BatchedWritesRepository<DeliveryResult, boolean>;
  private readonly warning: RepeatedWarning;

  constructor(results: ResultsRepository, { logger }: ServiceContext) {
    this.writes = new BatchedWritesRepository(PACE_MS, async (batch) => {
      const written = await results.write(batch);
      return batch.map(({ id }) => written.has(id));
    });
    this.warning = new RepeatedWarning(
      logger,
      'results not written: deliveries repeat after their leases',
    );
  }

  /**
   * True when the result was written; false when another process holds the lease or the database is unavailable, which
   * repeats the attempt after the lease.
   */
  async write(result: DeliveryResult): Promise<boolean> {
    try {
      const written = await this.writes.add(result);
      this.warning.clear();
      return written;
    } catch (err) {
      this.warning.report(err instanceof Error ? err.message : String(err), { err });
      return false;
    }
  }
}
