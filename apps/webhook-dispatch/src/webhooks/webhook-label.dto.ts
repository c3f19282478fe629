import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';

export const MAX_LABEL_LENGTH = 255;

/** Names a webhook, in the query or in the body. */
export class WebhookLabelDto {
  /** Label of the webhook. */
  @IsOptional()
  @MaxLength(MAX_LABEL_LENGTH)
  @IsNotEmpty()
  @IsString()
  label?: string;
}
