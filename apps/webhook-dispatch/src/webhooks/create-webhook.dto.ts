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

export class CreateWebhookDto {
  @IsString()
  url!: string;

  @MaxLength(MAX_LABEL_LENGTH)
  @IsNotEmpty()
  @IsString()
  label!: string;

  @ArrayUnique()
  @IsIn(WEBHOOK_EVENT_TYPES, { each: true })
  @ArrayNotEmpty()
  @IsArray()
  event_types!: WebhookEventType[];

  @IsOptional()
  @IsNested(() => AuthHeaderDto)
  auth_header?: AuthHeaderDto;

  /** By default a new secret is created. */
  @IsOptional()
  @MinLength(16)
  @MaxLength(256)
  @Matches(PRINTABLE, { message: '$property must consist of printable characters' })
  @IsString()
  signing_secret?: string;
}
