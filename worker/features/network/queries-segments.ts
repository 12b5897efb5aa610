import { type SQL, sql } from 'drizzle-orm'
import { violation } from '../../contract/errors.ts'
import type { Db } from '../../db/client.ts'
import { guard } from '../../db/guard.ts'
import { PAIR_BASE, PAIR_SIZE } from '../../domain/network/segments.ts'

/**
 * No two members of the network have overlapping segments: `checkSegments` once more, on the rows as they are when the
 * write is made. Two calls at once may each be right by what they read, and a device may have reported a LAN meanwhile.
 *
 * Segments nest or are apart, so all that touch lie in one outermost block; a block with two owners is a conflict.
 */
export const guardSegments = (db: Db, networkId: SQL) =>
  guard(
    db,
    sql`not exists (
      with
        port (router_id, octets, mask) as (
          select m.router_id, '[' || replace(i.value ->> 'ip', '.', ',') || ']', i.value ->> 'mask'
          from network_members m join router_states s on s.router_id = m.router_id, json_each(s.interfaces) i
          where m.network_id = ${networkId} and i.value ->> 'role' = 'lan'
            and i.value ->> 'ip' not glob '*[^0-9.]*' and i.value ->> 'mask' between 0 and 32),
        lan (router_id, size, address) as (
          select router_id, 1 << (32 - mask), (
            select case when count(*) = 4 and max(value) <= 255 then sum((value & 255) << (8 * (3 - key))) end
            from json_each(case when json_valid(octets) then octets else '[]' end))
          from port),
        segment (router_id, first, last) as (
          select router_id, address / size * size, address / size * size + size - 1 from lan where address is not null
          union all
          select router_id, ${PAIR_BASE} + segment_index * ${PAIR_SIZE}, ${PAIR_BASE} + (segment_index + 1) * ${PAIR_SIZE} - 1
          from network_members where network_id = ${networkId} and segment_index is not null),
        begun (router_id, first, last, begins) as (
          select router_id, first, last, first > coalesce(max(last) over (
            order by first, last desc rows between unbounded preceding and 1 preceding), -1)
          from segment),
        block (router_id, number) as (
          select router_id, sum(begins) over (order by first, last desc) from begun)
      select 1 from block group by number having min(router_id) <> max(router_id))`,
    violation('NETWORK_CHANGED'),
  )
