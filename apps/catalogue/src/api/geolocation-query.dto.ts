import { IsIP, IsOptional } from 'class-validator';

export class GeolocationQueryDto {
  @IsOptional()
  @IsIP()
  customer_ip_address?: string;
}
