import { IsQueryInteger, IsUuid } from '@bascule/validation';
import { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@bascule/contracts';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../rules/delivery-status.js';
import { IsTimestamp } from '../webhooks/is-timestamp.dto.js';
import { MAX_LABEL_LENGTH, WebhookLabelDto } from '../webhooks/webhook-label.dto.js';

const MAX_AT_ONCE = 100;
const DEFAULT_AT_ONCE = 25;
const MAX_KEY_LENGTH = 100;

export class ListDeliveriesDto extends WebhookLabelDto {
  /** Status of the deliveries. */
  @IsOptional()
  @IsIn(DELIVERY_STATUSES)
  @IsString()
  status?: DeliveryStatus;

  /** Payment of the deliveries. */
  @IsOptional()
  @IsUuid()
  workflow_id?: string;

  /** Largest number of deliveries in the page. */
  @IsQueryInteger(1, MAX_AT_ONCE)
  limit: number = DEFAULT_AT_ONCE;

  /** `next_pagination_key` of the previous page. */
  @IsOptional()
  @MaxLength(MAX_KEY_LENGTH)
  @IsString()
  pagination_key?: string;
}

export class DeliveryIdDto {
  /** Id of the delivery. */
  @IsUuid()
  delivery_id!: string;
}

/** Deliveries to send again. */
export class ResendFailedDto extends WebhookLabelDto {
  /** Earliest time at which the deliveries failed. */
  @IsTimestamp()
  since!: string;
}

/** Test event to send. */
export class TestWebhookDto {
  /** Label of the webhook. */
  @MaxLength(MAX_LABEL_LENGTH)
  @IsNotEmpty()
  @IsString()
  label!: string;

  /** Type of the event; by default one that the webhook subscribes to. */
  @IsOptional()
  @IsIn(WEBHOOK_EVENT_TYPES)
  @IsString()
  event_type?: WebhookEventType;
}
