import { DueWorker } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ProviderRegistryService } from '../providers/provider-registry.service.js';
import { CallbackClient } from './callback.client.js';
import { retryDelaySeconds } from './retry-schedule.js';

interface DueCallback {
  id: string;
  provider: string;
  body: string;
  attempts: number;
}

/** Delivers callbacks to partners until a 2xx response. */
@Injectable()
export class CallbackWorker implements OnApplicationBootstrap {
  private readonly worker: DueWorker<DueCallback>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly providers: ProviderRegistryService,
    private readonly client: CallbackClient,
    context: ServiceContext,
  ) {
    this.worker = new DueWorker<DueCallback>({
      name: 'callbacks',
      dataSource,
      table: 'callbacks',
      batchSize: 20,
      concurrency: 10,
      leaseMs: 10_000,
      pollMs: 200,
      handle: (row) => this.attempt(row),
      context,
    });
  }

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  private async attempt({ id, provider: name, body, attempts }: DueCallback): Promise<void> {
    const provider = this.providers.get(name);
    const failure =
      provider.callbackUrl === null
        ? null
        : await this.client.deliver(provider.callbackUrl, provider, body);
    const delay = failure === null ? null : retryDelaySeconds(attempts + 1);
    await this.dataSource.query(
      `UPDATE callbacks SET attempts = attempts + 1, last_failure = $2::text,
         delivered_at = CASE WHEN $2::text IS NULL THEN now() END,
         due_at = now() + $3::int * interval '1 second'
       WHERE id = $1`,
      [id, failure, delay],
    );
  }
}
