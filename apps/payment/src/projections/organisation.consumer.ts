import { isHandledBy, TOPICS, type OrganisationEvent } from '@bascule/contracts';
import { ProjectionPattern, upsertProjection } from '@bascule/messaging';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { DataSource } from 'typeorm';

/** Projects the settings of organisations. */
@Controller()
export class OrganisationConsumer {
  constructor(private readonly dataSource: DataSource) {}

  @ProjectionPattern(TOPICS.organisation, { tables: ['organisations'] })
  async on(@Payload() event: OrganisationEvent): Promise<void> {
    if (!isHandledBy('payment', event)) return;
    const { org_id, version, redirect_origins, quotas } = event.data;
    await upsertProjection(this.dataSource.manager, {
      table: 'organisations',
      key: { id: org_id },
      version,
      columns: {
        redirect_origins,
        max_unfunded_payments: quotas?.unfunded_payments ?? null,
      },
    });
  }
}
