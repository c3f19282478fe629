import { gaugeByChain } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Lag from which a scan counts as behind, as in `alerts.yaml`. */
const BEHIND_SECONDS = 60;

/**
 * Lag of the scan of each origin: the time since it last reached a new head, on any replica. It grows while scans fail or do
 * not reach the head, while the head stands still, and while nodes contradict it.
 */
@Injectable()
export class ScanLagService {
  constructor(
    private readonly dataSource: DataSource,
    { metrics }: ServiceContext,
  ) {
    gaugeByChain(
      metrics,
      {
        name: 'solver_scan_lag_seconds',
        help: 'Time since the orders of a chain were scanned up to a new head.',
      },
      () =>
        dataSource.query(
          `SELECT chain, extract(epoch FROM now() - caught_up_at)::float8 AS value
           FROM order_cursors WHERE due_at IS NOT NULL`,
        ),
    );
  }

  /** Whether orders of a chain may be seen too late to be filled. */
  async isBehind(chain: string): Promise<boolean> {
    const near: unknown[] = await this.dataSource.query(
      `SELECT FROM order_cursors WHERE chain = $1 AND block_number IS NOT NULL
         AND caught_up_at > now() - $2 * interval '1 second'`,
      [chain, BEHIND_SECONDS],
    );
    return near.length === 0;
  }
}
