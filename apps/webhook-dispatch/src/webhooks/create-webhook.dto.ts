import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@bascule/contracts';
import { IsNested } from '@bascule/http';
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

export const MAX_LABEL_LENGTH = 255;

/** Names that the service sets itself, or that would change how the request is framed. */
const HEADER_NAME =
  /^(?!(?:host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|proxy-.*|webhook-.*|x-service-signature|user-agent)$)[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/i;
/** Visible characters, with blanks between them: nothing that ends a header line. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;
const PRINTABLE = /^[\x21-\x7e]+$/;

class AuthHeaderDto {
  @Matches(HEADER_NAME, { message: '$property must be the name of a header that may be set' })
  @IsString()
  name!: string;

  @MaxLength(4_096)
  @Matches(HEADER_VALUE, { message: '$property must be the printable value of a header' })
  @IsString()
  value!: string;
}

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

  /** By default a new one is made. */
  @IsOptional()
  @MinLength(16)
  @MaxLength(256)
  @Matches(PRINTABLE, { message: '$property must consist of printable characters' })
  @IsString()
  signing_secret?: string;
}
