/** The paths that every wing agrees on. */
import type { CountyId, Uuid } from "../engine/model/ids.ts";

/** The version of the interface, which is not that of the package: within it, fields are only added. */
export const apiVersion = "1";

/** Every endpoint's path is below this. */
export const apiPrefix: string = `/api/v${apiVersion}`;

/** Every page for people is at this path or below it. */
export const explorerPath = "/explore";

/** The page that shows several series in one chart. */
export const comparePath: string = `${explorerPath}/compare`;

/** The page about the data. */
export const dataPath: string = `${explorerPath}/data`;

/** The page about what the data lacks. */
export const gapsPath: string = `${explorerPath}/gaps`;

/** The report on a draft, where pages show one. */
export const draftReportPath: string = `${explorerPath}/draft`;

/** The page of a product. */
export function productPath(uuid: Uuid): string {
  return `${explorerPath}/products/${uuid}`;
}

/** The page of a market. */
export function marketPath(uuid: Uuid): string {
  return `${explorerPath}/markets/${uuid}`;
}

/** The page of a county. */
export function countyPath(id: CountyId): string {
  return `${explorerPath}/counties/${id}`;
}

/** The address at which the file of a snapshot is served. */
export function downloadPath(snapshot: string, name: string): string {
  return `${explorerPath}/downloads/${snapshot}/${name}`;
}

/** A card; its address names the snapshot, because those who show cards keep them by address. */
export function cardPath(snapshot: string, name: string): string {
  return `${explorerPath}/cards/${snapshot}/${name}`;
}

/** The card of pages without one of their own. */
export const generalCardName = "all.png";

/** Every page of the documentation is at this path or below it. */
export const docsPath = "/docs";
