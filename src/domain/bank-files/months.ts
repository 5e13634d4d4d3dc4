import { lazily } from '../lazily.ts'

/**
 * Names of the months and their short forms in 27 languages, folded (see `foldWord`): the Germanic, Romance, Baltic,
 * Finnic and Slavic ones of Europe, Hungarian, Greek, Turkish, Indonesian and Catalan. Chinese, Japanese and Korean
 * write months as numbers. A word that means different months in two languages is left out, or stands for the one whose
 * banks write months as words (`listopad` is Polish and Czech, not Croatian).
 */
const NAMES = [
  `january jan janv janvier januar janner jenner januari enero ene gennaio gen janeiro tammikuu tammikuuta tammi styczen
   stycznia sty leden ledna led ianuarie ian januarja януари янв январь января січень січня січ ιανουαριος ιανουαριου ιαν
   ocak oca jaanuar jaan janvaris sausis sausio sau gener januára јануар јан`,
  `february feb febr fevr fevrier fev februar februari febrero febbraio fevereiro helmikuu helmikuuta helmi luty lutego lut
   unor unora uno februarie februarja февруари фев февраль февраля февр лютий лютого лют φεβρουαριος φεβρουαριου φεβ subat
   sub veebruar veebr februaris vasaris vasario vas febrer фебруар феб`,
  `march mar mars marz maerz mrz maart mrt marzo marco maaliskuu maaliskuuta maalis marzec marca brezen brezna bre marec
   marcius marc martie март марта березень березня бер μαρτιος μαρτιου μαρ mart marts marta kovas kovo kov maret marts
   мар`,
  `april apr avril avr abril abr aprile huhtikuu huhtikuuta huhti kwiecien kwietnia kwi duben dubna dub aprila aprilis apr
   aprilie април апр апрель апреля квітень квітня кві απριλιος απριλιου απρ nisan nis aprill balandis balandzio bal`,
  `may mai mei mayo maggio mag maio toukokuu toukokuuta touko maj maja kveten kvetna kve majus май мая травень травня тра
   μαιος μαιου μαι μαϊ mayis maijs geguze geguzes geg maig mag мај`,
  `june jun juin juni junio giugno giu junho kesakuu kesakuuta kesa czerwiec czerwca cze cerven cervna cvn jun junius iunie
   iun junij junija юни юн июнь июня июн червень червня чер ιουνιος ιουνιου ιουν haziran haz juuni junijs birzelis
   birzelio bir juny јун јуни`,
  `july jul juil juillet juli julio luglio lug julho heinakuu heinakuuta heina lipiec lipca lip cervenec cervence cvc julius
   iulie iul julij julija юли юл июль июля июл липень липня лип ιουλιος ιουλιου ιουλ temmuz tem juuli julijs liepa liepos
   lie juliol јул јули`,
  `august aug aout aou augustus agosto ago elokuu elokuuta elo sierpien sierpnia sie srpen srpna srp augusztus avgust avg
   август авг августа серпень серпня сер αυγουστος αυγουστου αυγ agustos agu augusts rugpjutis rugpjucio rugp agustus agost
   agt ags аугуст`,
  `september sep sept septembre septiembre setiembre set settembre setembro syyskuu syyskuuta syys wrzesien wrzesnia wrz
   zari zar szeptember szept septembrie септември септ сентябрь сентября сен сент вересень вересня вер σεπτεμβριος
   σεπτεμβριου σεπ eylul eyl septembris rugsejis rugsejo rugs setembre септембар сеп`,
  `october oct oktober okt octobre octubre ottobre ott outubro out lokakuu lokakuuta loka pazdziernik pazdziernika paz
   rijen rijna rij oktober octombrie октомври окт октябрь октября жовтень жовтня жов οκτωβριος οκτωβριου οκτ ekim eki
   oktoober oktobris spalis spalio spa oktobar октобар`,
  `november nov novembre noviembre novembro marraskuu marraskuuta marras listopad listopada lis noiembrie noi ноември ное
   ноябрь ноября ноя нояб листопад листопада лис νοεμβριος νοεμβριου νοε kasim kas novembris lapkritis lapkricio lap
   novembar новембар нов`,
  `december dec dez decembre diciembre dic dicembre dezembro dezember desember des joulukuu joulukuuta joulu grudzien
   grudnia gru prosinec prosince pro decembrie декември дек декабрь декабря грудень грудня гру δεκεμβριος δεκεμβριου δεκ
   aralik ara detsember dets decembris gruodis gruodzio desembre decembar децембар дец`,
]

/** Lower case without marks; the letters that no mark makes are written plainly. */
export const foldWord = (word: string): string =>
  word
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')
    .replaceAll('đ', 'd')
    .replaceAll('ø', 'o')
    .replaceAll('ß', 'ss')

/** From 1 by name. Both sides are folded, as marks that fold away are part of some names above. */
const numbers = lazily(
  () =>
    new Map(
      NAMES.flatMap((names, index) =>
        names.split(/\s+/).map((name): [string, number] => [foldWord(name), index + 1]),
      ),
    ),
)

/** The month that a word names, from 1. */
export const monthNamed = (word: string): number | undefined => numbers().get(foldWord(word))
