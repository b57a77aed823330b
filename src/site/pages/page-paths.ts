/** The paths of the pages for people. */
import { explorerPath } from "../../contract/paths.ts";
import type { CountyId, Uuid } from "../../engine/model/ids.ts";

export const comparePath = `${explorerPath}/compare`;
export const dataPath = `${explorerPath}/data`;

export function productPath(uuid: Uuid): string {
  return `${explorerPath}/products/${uuid}`;
}

export function countyPath(id: CountyId): string {
  return `${explorerPath}/counties/${id}`;
}

/** The address at which the file of a snapshot is served. */
export function downloadPath(snapshot: string, name: string): string {
  return `${explorerPath}/downloads/${snapshot}/${name}`;
}
