import { ServiceContext } from '@bascule/process';
import type { Bridge } from '@bascule/venues';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import { BRIDGES } from '../config/payment.config.js';

interface UntrackedTransfers {
  bridge: string;
  count: string;
}

/** Reports open transfers of bridges that are no longer configured. */
@Injectable()
export class UntrackedTransfersService implements OnApplicationBootstrap {
  constructor(
    private readonly dataSource: DataSource,
    private readonly context: ServiceContext,
    @Inject(BRIDGES) private readonly bridges: ReadonlyMap<string, Bridge>,
  ) {
    const read = (): Promise<UntrackedTransfers[] | null> => this.read();
    new Gauge({
      name: 'payments_bridge_transfers_unfollowed',
      help: 'Open transfers of bridges missing from BRIDGES.',
      labelNames: ['bridge'],
      registers: [context.metrics],
      async collect() {
        const untracked = await read();
        if (untracked === null) return;
        this.reset();
        for (const { bridge, count } of untracked) this.set({ bridge }, Number(count));
      },
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    for (const { bridge, count } of (await this.read()) ?? []) {
      const about = { bridge, transfers: Number(count) };
      this.context.logger.error(about, 'open transfers of a bridge missing from BRIDGES');
    }
  }

  /** Null while the database is unavailable: the gauge keeps its last value. */
  private read(): Promise<UntrackedTransfers[] | null> {
    const read: Promise<UntrackedTransfers[]> = this.dataSource.query(
      `SELECT transfer->'transfer'->>'bridge' AS bridge, count(*) AS count
       FROM legs
       WHERE transfer->>'status' IN ('OPEN', 'UNFILLED')
         AND transfer->'transfer'->>'bridge' <> ALL($1)
       GROUP BY 1`,
      [[...this.bridges.keys()]],
    );
    return read.catch(() => null);
  }
}
