import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { IsTimestamp } from './is-timestamp.dto.js';
import { MAX_LABEL_LENGTH } from './webhook-label.dto.js';

export class RotateSecretDto {
  @MaxLength(MAX_LABEL_LENGTH)
  @IsNotEmpty()
  @IsString()
  label!: string;

  /** When the secrets before stop to sign; at least 24 hours from now. */
  @IsOptional()
  @IsTimestamp()
  retire_after?: string;
}
