import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@bascule/contracts';
import { IsNested } from '@bascule/validation';
import { AuthHeaderDto } from './auth-header.dto.js';
import { MAX_LABEL_LENGTH } from './webhook-label.dto.js';
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  MinLength,
} from 'class-validator';

const PRINTABLE = /^[\x21-\x7e]+$/;

/** Webhook to register. */
export class CreateWebhookDto {
  /** HTTPS URL of the receiver, without a private address. */
  @IsString()
  url!: string;

  /** Label, unique in the organisation. */
  @MaxLength(MAX_LABEL_LENGTH)
  @IsNotEmpty()
  @IsString()
  label!: string;

  /** Events that it subscribes to. */
  @ArrayUnique()
  @IsIn(WEBHOOK_EVENT_TYPES, { each: true })
  @ArrayNotEmpty()
  @IsArray()
  event_types!: WebhookEventType[];

  /** Header that is sent with every delivery. */
  @IsOptional()
  @IsNested(() => AuthHeaderDto)
  auth_header?: AuthHeaderDto;

  /** Secret that signs deliveries; by default a new one is created. */
  @IsOptional()
  @MinLength(16)
  @MaxLength(256)
  @Matches(PRINTABLE, { message: '$property must consist of printable characters' })
  @IsString()
  signing_secret?: string;
}
