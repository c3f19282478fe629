import { isHandledBy, SWITCHES_KEY, type SwitchesEvent, TOPICS } from '@bascule/contracts';
import { ProjectionPattern, upsertProjection } from '@bascule/messaging';
import { Controller, type Type } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { DataSource } from 'typeorm';

/** Builds the controller that keeps a service's copy of the switches. */
export function switchesConsumer(service: 'payment' | 'quote'): Type {
  @Controller()
  class SwitchesConsumer {
    constructor(private readonly dataSource: DataSource) {}

    @ProjectionPattern(TOPICS.switches, { tables: ['switches'] })
    async on(@Payload() event: SwitchesEvent): Promise<void> {
      if (!isHandledBy(service, event)) return;
      const { version, paused } = event.data;
      await upsertProjection(this.dataSource.manager, {
        table: 'switches',
        key: { id: SWITCHES_KEY },
        version,
        columns: { paused },
      });
    }
  }
  return SwitchesConsumer;
}
