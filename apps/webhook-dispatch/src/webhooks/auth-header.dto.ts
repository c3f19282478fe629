import { IsString, Matches, MaxLength } from 'class-validator';

/** Names that the service sets itself, or that would change how the request is framed. */
const HEADER_NAME =
  /^(?!(?:host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|proxy-.*|webhook-.*|x-service-signature|user-agent|accept|accept-encoding|traceparent|tracestate)$)[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/i;
/** Visible characters, with blanks between them: nothing that ends a header line. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;

export class AuthHeaderDto {
  @Matches(HEADER_NAME, { message: '$property must be the name of a header that may be set' })
  @IsString()
  name!: string;

  @MaxLength(4_096)
  @Matches(HEADER_VALUE, { message: '$property must be the printable value of a header' })
  @IsString()
  value!: string;
}
