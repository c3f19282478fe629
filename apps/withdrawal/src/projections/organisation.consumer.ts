import { isHandledBy, TOPICS } from '@bascule/contracts';
import type { OrganisationEvent } from '@bascule/contracts';
import { ProjectionPattern, upsertProjection } from '@bascule/messaging';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { DataSource } from 'typeorm';

/** Projects the quotas of organisations. */
@Controller()
export class OrganisationConsumer {
  constructor(private readonly dataSource: DataSource) {}

  @ProjectionPattern(TOPICS.organisation, { tables: ['organisations'] })
  async on(@Payload() event: OrganisationEvent): Promise<void> {
    if (!isHandledBy('withdrawal', event)) return;
    const { org_id, version, quotas } = event.data;
    await upsertProjection(this.dataSource.manager, {
      table: 'organisations',
      key: { id: org_id },
      version,
      columns: { max_unsigned_withdrawals: quotas?.unsigned_withdrawals ?? null },
    });
  }
}
