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
  @IsOptional()
  @IsIn(DELIVERY_STATUSES)
  @IsString()
  status?: DeliveryStatus;

  @IsOptional()
  @IsUuid()
  workflow_id?: string;

  @IsQueryInteger(1, MAX_AT_ONCE)
  limit: number = DEFAULT_AT_ONCE;

  @IsOptional()
  @MaxLength(MAX_KEY_LENGTH)
  @IsString()
  pagination_key?: string;
}

export class DeliveryIdDto {
  @IsUuid()
  delivery_id!: string;
}

export class ResendFailedDto extends WebhookLabelDto {
  @IsTimestamp()
  since!: string;
}

export class TestWebhookDto {
  @MaxLength(MAX_LABEL_LENGTH)
  @IsNotEmpty()
  @IsString()
  label!: string;

  @IsOptional()
  @IsIn(WEBHOOK_EVENT_TYPES)
  @IsString()
  event_type?: WebhookEventType;
}
