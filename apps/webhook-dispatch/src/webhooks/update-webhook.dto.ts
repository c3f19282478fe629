import { IsNested } from '@bascule/validation';
import { Equals, IsNotEmpty, IsOptional, IsString, MaxLength, ValidateIf } from 'class-validator';
import { AuthHeaderDto } from './auth-header.dto.js';
import { MAX_LABEL_LENGTH } from './webhook-label.dto.js';

/** Change of a webhook. */
export class UpdateWebhookDto {
  /** Label of the webhook, which cannot change. */
  @MaxLength(MAX_LABEL_LENGTH)
  @IsNotEmpty()
  @IsString()
  label!: string;

  /** New HTTPS URL of the receiver. */
  @IsOptional()
  @IsString()
  url?: string;

  @Equals(undefined, {
    message: '$property cannot be changed: delete the webhook and register it anew',
  })
  event_types?: undefined;

  /** Header that is sent with every delivery; null removes it. */
  @ValidateIf((_, value) => value !== undefined && value !== null)
  @IsNested(() => AuthHeaderDto)
  auth_header?: AuthHeaderDto | null;
}
