import { IsIP, IsOptional } from 'class-validator';

export class GeolocationQueryDto {
  /** IPv4 or IPv6 address; by default the caller's. */
  @IsOptional()
  @IsIP()
  customer_ip_address?: string;
}
