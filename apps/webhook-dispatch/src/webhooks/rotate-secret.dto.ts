import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { IsTimestamp } from './is-timestamp.dto.js';
import { MAX_LABEL_LENGTH } from './webhook-label.dto.js';

/** Rotation of a secret. */
export class RotateSecretDto {
  /** Label of the webhook. */
  @MaxLength(MAX_LABEL_LENGTH)
  @IsNotEmpty()
  @IsString()
  label!: string;

  /** Time at which earlier secrets stop signing; at least 24 hours from now. */
  @IsOptional()
  @IsTimestamp()
  retire_after?: string;
}
