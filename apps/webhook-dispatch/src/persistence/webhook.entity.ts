import type { KeyMode, WebhookEventType } from '@bascule/contracts';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

export const LABEL_INDEX = 'webhooks_org_id_label_key';

/** Webhook; a deleted one stays without secrets for the deliveries that reference it. */
@Entity('webhooks')
@Check('webhooks_mode', `mode IN ('live', 'test')`)
@Index(LABEL_INDEX, ['orgId', 'label'], { unique: true, where: 'deleted_at IS NULL' })
export class WebhookEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  orgId!: string;

  /** Mode of the key that registered it: its organisation has payments of this mode only. */
  @Column('text', { default: 'live' })
  mode!: KeyMode;

  @Column('text')
  label!: string;

  @Column('text')
  url!: string;

  @Column('text', { array: true })
  eventTypes!: WebhookEventType[];

  @Column('text', { nullable: true })
  authHeaderName!: string | null;

  /** Encrypted. */
  @Column('text', { nullable: true })
  authHeaderValue!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  deletedAt!: Date | null;
}
