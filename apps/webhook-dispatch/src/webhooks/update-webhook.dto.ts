import { IsNested } from '@bascule/validation';
import { IsNotEmpty, IsOptional, IsString, MaxLength, ValidateIf } from 'class-validator';
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

  /** Null removes the header. */
  @ValidateIf((_, value) => value !== undefined && value !== null)
  @IsNested(() => AuthHeaderDto)
  auth_header?: AuthHeaderDto | null;
}
