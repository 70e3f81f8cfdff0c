import { hash } from 'node:crypto'
import { detectDevice } from '#contract/downloads.ts'
import { memoized } from '../values/memoize.ts'

/**
 * Whether the browser is one of those that the sites work in (`browserslist` of package.json): asked of the youngest that they
 * all have, never of its name. Others keep what the server sent, without any script and with a flat style (old-browser.css).
 */
const IS_CURRENT = '"CSSLayerBlockRule"in self&&"findLast"in[]'

/** What is said above a page that only older browsers show: they do not know the layer in which it is hidden. */
export const OLD_BROWSER =
  'Trình duyệt này quá cũ. Hãy cập nhật trình duyệt, hoặc mở trang này bằng Chrome, Cốc Cốc, Safari hay Firefox bản mới'

/**
 * Marks the document before its first paint: with the address that it was made for, which a step back may change before React
 * takes the page over; with the device, for what suits it; and when a session is stored, so that a
 * player does not see the login buttons for a moment. A hint stored at the last visit describes what else the first paint
 * depends on; without one the page waits for the server's answer, so that nothing moves when it arrives. Constant text:
 * the policy lists its hash, and cached pages stay valid.
 */
export const MARK_SCRIPT =
  'document.documentElement.dataset.address=location.href;' +
  `document.documentElement.dataset.device=(${String(detectDevice).replaceAll(/ +/g, ' ')})(navigator.userAgent,navigator.maxTouchPoints);` +
  `if(${IS_CURRENT})` +
  'try{JSON.parse(localStorage.getItem("auth-react-v")).access_token&&document.documentElement.setAttribute("data-session",localStorage.getItem("portal-hint")||"wait")}catch{}'

/**
 * Fetches the portal's scripts and the whole style sheet once the first screen stands there with its pictures, so that they do
 * not take the network from it; at once when somebody touches the page or types, and after three seconds in any case. The
 * scripts run when the style sheet is there: what they render may need it; the styles of the document, which all stand in it, go
 * then, since a browser applies each rule for each element. The sheet counts only from then on, so that the page is laid out
 * once for both. A button that is pressed before React answers for it, or a link that opens a modal, is remembered: the script
 * presses it again when it is ready. Pressed twice, such a link leads to its own address at once. A form that has no address of
 * its own is not sent by the browser, which would open the page anew with all that was typed in its address. What visitors alone
 * are shown is fetched without a stored session. What a button does without scripts is not done again. The addresses stand in
 * the attributes of its element, so this text is constant too.
 */
export const START_SCRIPT = `if(${IS_CURRENT}){const{script,style,parts,visitors}=document.currentScript.dataset
let begun
const add=(name,given)=>document.head.appendChild(Object.assign(document.createElement(name),given))
const begin=()=>{if(begun)return
begun=1
const run=()=>add("script",{type:"module",src:script})
const sheet=add("link",{rel:"stylesheet",href:style,media:"print",fetchPriority:"high",onerror:run,onload(){sheet.onload=null
sheet.media="all"
document.querySelector("style").remove()
run()}})
const needed="session"in document.documentElement.dataset?parts:parts+visitors
for(const href of[script,...needed.split(" ")])add("link",{rel:"modulepreload",href})}
addEventListener("load",()=>setTimeout(begin,50),{once:true})
for(const type of["pointerdown","keydown"])addEventListener(type,begin,{once:true,passive:true})
setTimeout(begin,3e3)
addEventListener("submit",(event)=>event.target.hasAttribute("action")||event.preventDefault())
addEventListener("click",(event)=>{const root=document.getElementById("root")
if("ready"in root.dataset||event.defaultPrevented||event.ctrlKey||event.metaKey||event.shiftKey)return
const it=event.target.closest("button:not([popovertarget]),[data-modal]")
if(it?.href&&it!==root.pressed)event.preventDefault()
root.pressed=it})}`

/** Begins the console, of which nothing is shown without scripts, in browsers that it works in. */
export const CONSOLE_SCRIPT = `if(${IS_CURRENT}){const{script}=document.currentScript.dataset
document.head.append(Object.assign(document.createElement("script"),{type:"module",src:script}))}`

/** Hashes of the inline texts of the build, of which there are few. */
export const hashOf = memoized(1_000, (text) => `'sha256-${hash('sha256', text, 'base64')}'`)

const SCRIPT_HASHES = [MARK_SCRIPT, START_SCRIPT].map(hashOf).join(' ')

/** Origins outside the site that one document may reach. */
export type OutsideSources = { script: string; connect: string; img: string }

/**
 * The policy of a page: own files, pictures also as data, the two inline scripts above, the styles that the document holds, and
 * the given origins.
 */
export function pagePolicy(outside?: OutsideSources, style?: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' ${SCRIPT_HASHES}${outside ? ` ${outside.script}` : ''}`,
    ...(style ? [`style-src 'self' ${hashOf(style)}`] : []),
    `img-src 'self' data:${outside ? ` ${outside.img}` : ''}`,
    ...(outside ? [`connect-src 'self' ${outside.connect}`] : []),
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ')
}

/** The policy of the service worker: it only fetches from the site. */
export const WORKER_POLICY =
  "default-src 'none'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
