import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { MAX_LABEL_LENGTH } from './create-webhook.dto.js';

/** Names a webhook, in the query or in the body. */
export class WebhookLabelDto {
  @IsOptional()
  @MaxLength(MAX_LABEL_LENGTH)
  @IsNotEmpty()
  @IsString()
  label?: string;
}
