import { IsString, Matches, MaxLength } from 'class-validator';

/** Header names that the service sets, or that would change the framing of the request. */
const HEADER_NAME =
  /^(?!(?:host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|proxy-.*|webhook-.*|x-service-signature|user-agent|accept|accept-encoding|traceparent|tracestate)$)[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/i;
/** Visible characters and blanks, without line breaks. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;

/** Header that is sent with every delivery. */
export class AuthHeaderDto {
  /** Name of the header; not one that the service sets itself. */
  @Matches(HEADER_NAME, { message: '$property must be the name of a permitted header' })
  @IsString()
  name!: string;

  /** Value of the header. */
  @MaxLength(4_096)
  @Matches(HEADER_VALUE, { message: '$property must be the printable value of a header' })
  @IsString()
  value!: string;
}
