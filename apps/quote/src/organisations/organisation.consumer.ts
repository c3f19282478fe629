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
    if (!isHandledBy('quote', event)) return;
    const { org_id, version, revenue_shares, opened_edges } = event.data;
    await upsertProjection(this.dataSource.manager, {
      table: 'organisations',
      key: { id: org_id },
      version,
      columns: { revenue_shares, opened_edges },
    });
  }
}
