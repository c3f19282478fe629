import { NO_SWITCHES, SWITCHES_KEY } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import { SwitchesEntity } from '../persistence/switches.entity.js';

/** Exposes the version that operators have set last, so that services behind it are noticed even when all are. */
@Injectable()
export class SwitchesVersionService {
  constructor(dataSource: DataSource, { metrics, logger }: ServiceContext) {
    new Gauge({
      name: 'switches_version',
      help: 'Version of the switches that an operator has set last.',
      registers: [metrics],
      async collect() {
        try {
          const id = SWITCHES_KEY;
          const stored = await dataSource.manager.findOneBy(SwitchesEntity, { id });
          this.set((stored ?? NO_SWITCHES).version);
        } catch (error) {
          // The scrape still succeeds, with the version that was read last.
          logger.debug({ err: error }, 'could not read the version of the switches');
        }
      },
    });
  }
}
