import { ServiceContext } from '@bascule/process';
import type { Reloadable } from '@bascule/process';
import { SealedTokens } from '@bascule/sealed-tokens';
import type { SealingKey } from '@bascule/sealed-tokens';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { IdempotencyRecords } from './idempotency-records.js';
import { IdempotencyService } from './idempotency.service.js';
import { RecordPurge } from './record-purge.js';

/** Stored answers of one service, encrypted with its keys. */
@Module({})
export class IdempotencyModule {
  static register({ keys }: { keys: Reloadable<readonly SealingKey[]> }): DynamicModule {
    return {
      module: IdempotencyModule,
      providers: [
        {
          provide: IdempotencyService,
          inject: [DataSource, ServiceContext],
          useFactory: (dataSource: DataSource, context: ServiceContext) => {
            const records = new IdempotencyRecords(dataSource);
            new RecordPurge(records, context).start();
            return new IdempotencyService(records, new SealedTokens(keys), context);
          },
        },
      ],
      exports: [IdempotencyService],
    };
  }
}
