import { IsNested } from '@bascule/validation';
import { Equals, IsNotEmpty, IsOptional, IsString, MaxLength, ValidateIf } from 'class-validator';
import { AuthHeaderDto } from './auth-header.dto.js';
import { MAX_LABEL_LENGTH } from './webhook-label.dto.js';

export class UpdateWebhookDto {
  @MaxLength(MAX_LABEL_LENGTH)
  @IsNotEmpty()
  @IsString()
  label!: string;

  @IsOptional()
  @IsString()
  url?: string;

  @Equals(undefined, {
    message: '$property cannot be changed: delete the webhook and register it anew',
  })
  event_types?: undefined;

  /** Null removes the header. */
  @ValidateIf((_, value) => value !== undefined && value !== null)
  @IsNested(() => AuthHeaderDto)
  auth_header?: AuthHeaderDto | null;
}
