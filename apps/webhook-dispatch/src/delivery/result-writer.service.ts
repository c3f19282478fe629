import { RepeatedWarning, ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { BatchedWritesRepository } from '../persistence/batched-writes.repository.js';
import { type DeliveryResult, ResultsRepository } from '../persistence/results.repository.js';

/** Nobody but a slot waits for it. */
const PACE_MS = 20;

/** Who waits for a result to be written holds its slot, which bounds how many wait. */
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
   * True when it was written; false when the delivery is somebody else's by now. Without a database neither: then its lease
   * ends, and it is attempted again.
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
