"""Names that people type without a capital: of persons, pets, towns, countries and companies."""

from __future__ import annotations

__all__ = ["COMPANIES", "GIVEN", "PETS", "PLACES", "PLAIN_GIVEN", "VISITED", "WORD_NAMES", "WORD_PLACES"]

_GIVEN = (
    "aaron abby abdul abigail ada adam adrian ahmed aisha akira alan alastair alba albert alejandra alejandro alex "
    "alexa alexander alexandra alexis alfie ali alice alicia alina alison allison alma alvaro alyssa amanda amara "
    "amber amelia amina amir amit amy ana anastasia anders andre andrea andreas andrew andy angela angelina anika "
    "anita ann anna anne annie anthony antoine antonia antonio anya arjun arnold arthur arturo asha ashley astrid "
    "audrey austin ava ayesha aziz barbara beatriz becca becky ben benjamin bernard beth bethany betty bianca bjorn "
    "bob bobby boris brandon brenda brent brian bridget brittany bruce bruno bryan caitlin caleb calvin cameron camila "
    "camille carl carla carlos carly carmen carol caroline cassie catherine cecilia chad chandra charles charlie "
    "charlotte chelsea chen chloe chris christian christina christine christopher chuck cindy claire clara claudia "
    "colin connor corey courtney craig cristina curtis cynthia daisy damian dan dana daniel daniela danielle danny "
    "daphne darren dave david deborah debbie deepak deirdre denis denise dennis derek devon diana diego dieter dmitri "
    "dominic donna dorothy doug douglas dylan ed eddie edgar edith eduardo edward eileen elaine elena eleanor eli "
    "elias elif elijah elisa elise eliza elizabeth ella ellen ellie elliot elsa emil emilia emily emma emmanuel eric "
    "erica erik erika erin ernesto esteban esther ethan eva evan evelyn fabio fadi fatima felicia felipe felix "
    "fernanda fernando fiona flora florian fran frances francesca francis francisco frankie fred freddie frederik "
    "freya gabby gabe gabriel gabriela gareth gary gavin gemma geoff george gerald gerard giovanni giulia glenn gloria "
    "gonzalo gordon graham greg gregory greta guillermo gustavo hadi haley hamid hana hanna hannah hans haruki harriet "
    "harry hassan hector heidi helen helena henrik henry hiro howard hugo hussein ian ibrahim ida ignacio igor ines "
    "ingrid irene irina iris isaac isabel isabella isabelle isla ismail ivan jackie jackson jacob jacqueline jaime "
    "jake jamal james jamie jan jane janet janice jared jasmine jason javier jay jean jeff jeffrey jen jess "
    "jenna jennifer "
    "jenny jeremy jerome jerry jesse jessica jill jim jimmy jo joan joanna joao jocelyn jodie joe joel johan johanna "
    "john johnny jon jonah jonas jonathan jordan jorge jose josef joseph josh joshua juan juanita judith judy julia "
    "julian juliana julie juliet julio justin kaitlyn kamal karen karim karin karl karolina kate katherine kathleen "
    "kathryn kathy katie katrina kay kayla keith kelly kelsey ken kendra kenji kenneth kevin khalid kim kimberly kiran "
    "kirsten klaus kristen kristina kumar kurt kyle laila lakshmi lara lars laura lauren laurence lea leah lee leila "
    "lena leo leon leonard leonardo leslie leticia liam lila lily lin linda lindsay lisa liv liz lizzie logan lola "
    "lorenzo lori louis louise luca lucas lucia lucy luis luisa lukas luke luna luz lydia lynn mabel maddie madeleine "
    "madison magnus maja malcolm malik manuel mara marc marcel marcela marco marcos marcus margaret maria mariah "
    "mariam marie marina mario marisa marius marjorie marta martha martin martina marty mary mateo mathilda matt "
    "matteo matthew maureen maurice max maya megan mehmet mei melanie melissa mercedes mia michael michaela michelle "
    "miguel mika mike mikhail mila milan milo mina ming miranda miriam mitch mo mohamed mohammed moira molly mona "
    "monica monika morgan moritz muhammad murray nadia nadine naomi natalia natalie natasha nate nathan nathaniel neil "
    "nell nia nicholas nick nicky nicola nicolas nicole nigel nikhil nikita nikolai nils nina noah noor nora norma "
    "olaf oleg olga oliver olivia ollie olu omar oscar otto owen pablo paige pamela paola parker patricia patrick paul "
    "paula pauline pavel pedro penelope penny pete peter petra phil philip phoebe pierre polly priya rachel rafael "
    "rahul raj ralph ramon randy raquel ravi raymond rebecca reggie renata rene rhys ricardo richard rick ricky rita "
    "robert roberta roberto robin rocco rodrigo roger rohan roland roman ron ronald ronnie rory rosa rosie ross rowan "
    "roy ruben rudy rupert russell ruth ryan sabrina sadie sally sam samantha samir samuel sandra sandy sanjay "
    "santiago sara sarah sasha scott sean sebastian selena serena sergei sergio seth shane shannon sharon shaun shawn "
    "sheila shelby siddharth sierra simon simone siobhan sofia sonia sophia sophie spencer stacey stan stanley "
    "stefan stefano stella stephanie stephen steve steven stuart sunil suresh susan susanna suzanne svetlana sven "
    "sylvia tamara tanya tara tariq tatiana ted teresa terry tess tessa thea theo theodore theresa thomas tim timothy "
    "tina toby todd tom tomas tomasz tommy toni tony tracy travis trevor tricia trisha tristan tyler uma ursula "
    "valentina valeria valerie vanessa vera veronica vicky victor victoria vijay vikram vincent viola violet virginia "
    "vivian vladimir walter wanda wayne wei wendy wesley wilfred willa william willow winston wolfgang xavier yael "
    "yasmin yuki yusuf yvonne zach zachary zainab zara zoe zoltan"
)
# Words as well as names; after "my brother" they are names.
_BOTH = "april dawn frank grace jack june mark nick rose ray summer ruby jade angel dean eve faith joy"
_PLAIN_PETS = (
    "archie athena bailey bella binx cooper fido finn garfield gus hermes loki louie murphy nala odin rex rosie sadie "
    "simba stella thor tigger winston zeus ziggy"
)
# Given names that are words as well, beside those; and towns and countries that are.
_WORD_GIVEN = (
    "alba amber angel austin carol chad charlotte chelsea chuck daisy dale dean dick drew earl flora frankie gene guy "
    "heath hunter iris ivy jackson jay jean jersey jordan kay lance lee lily logan luna max mercedes milan morgan "
    "miles olive parker pat patty penny phoenix pierce poppy randy reed rich rick rob robin rocky rusty sandy scout "
    "sierra skip sky stone sunny taylor tiffany tucker victor victoria vic wade will windy"
)
_WORD_PLACES = (
    "austin bath brest buffalo charlotte chile china cologne columbus cork essen florence georgia jersey jordan lima "
    "mobile nice orlando phoenix reading split tours turkey victoria"
)
_PETS = (
    "bella luna max charlie lucy cooper bailey daisy sadie lola buddy rocky bear duke tucker jack oliver loki zeus "
    "milo leo rex fido spot rover bruno oreo mochi miso noodle nugget peanut pepper "
    "pickle pickles olive bean beans cookie ginger pumpkin cinnamon muffin cupcake tofu sushi dumpling boba cocoa "
    "coco honey maple hazel willow simba nala felix garfield whiskers mittens socks tigger smokey shadow midnight "
    "salem binx gizmo ziggy archie teddy finn murphy winston gus louie moose ollie scout penny rosie ruby stella "
    "poppy pixie princess snowball fluffy thor odin apollo athena hermes freya"
)
_PLACES = (
    "amsterdam athens atlanta auckland austin baltimore bangalore bangkok barcelona basel beijing belfast berlin bern "
    "birmingham bogota boise bologna bordeaux boston bratislava brisbane bristol brooklyn brussels bucharest budapest "
    "buffalo cairo calgary cambridge cardiff charlotte chennai chicago cincinnati cleveland cologne columbus "
    "copenhagen cork dallas delhi denver detroit dubai dublin dundee edinburgh florence frankfurt galway geneva ghent "
    "glasgow gothenburg graz hamburg hanoi helsinki houston hyderabad indianapolis istanbul jakarta jersey "
    "johannesburg karachi krakow kyiv kyoto lagos leeds leicester leipzig lima lisbon liverpool ljubljana london "
    "lyon madrid malaga manchester manila marseille melbourne memphis miami milan milwaukee minneapolis montreal "
    "moscow mumbai munich nairobi naples nashville newcastle nice nyc omaha orlando osaka oslo ottawa oxford paris "
    "perth philadelphia phoenix pittsburgh portland porto prague raleigh reykjavik riga rome rotterdam "
    "sacramento salzburg santiago seattle seoul seville shanghai sheffield shenzhen singapore sofia stockholm "
    "strasbourg stuttgart sydney tacoma taipei tallinn tampa tokyo toronto toulouse tucson turin utrecht valencia "
    "vancouver venice vienna vilnius warsaw wellington zagreb zurich alabama alaska arizona arkansas california "
    "colorado connecticut delaware florida georgia hawaii idaho illinois indiana iowa kansas kentucky louisiana maine "
    "maryland massachusetts michigan minnesota mississippi missouri montana nebraska nevada ohio oklahoma oregon "
    "pennsylvania tennessee texas utah vermont virginia wisconsin wyoming ontario quebec alberta argentina australia "
    "austria belgium bolivia brazil bulgaria canada chile china colombia croatia cuba cyprus denmark ecuador egypt "
    "england estonia ethiopia finland france germany ghana greece guatemala hungary iceland india indonesia iran iraq "
    "ireland israel italy jamaica japan jordan kenya korea latvia lebanon lithuania malaysia malta mexico morocco "
    "nepal netherlands nigeria norway pakistan panama peru philippines poland portugal romania russia scotland serbia "
    "slovakia slovenia spain sweden switzerland taiwan thailand tunisia turkey uganda ukraine uruguay venezuela "
    "vietnam wales zimbabwe"
)
_PLACE_PAIRS = (
    "new york|new jersey|new orleans|new delhi|new zealand|new mexico|new hampshire|north carolina|south carolina"
    "|north dakota|south dakota|west virginia|rhode island|san francisco|san diego|san jose|san antonio|los angeles"
    "|las vegas|salt lake city|kansas city|st louis|st petersburg|hong kong|kuala lumpur|ho chi minh city|tel aviv"
    "|abu dhabi|cape town|buenos aires|sao paulo|rio de janeiro|mexico city|costa rica|puerto rico|sri lanka"
    "|saudi arabia|south africa|south korea|el salvador|fort worth|santa barbara|santa cruz|long beach|palo alto"
    "|the hague|the netherlands|the philippines|silicon valley"
)
_COMPANIES = (
    "accenture adidas adobe airbnb airbus alibaba amazon amd apple asana atlassian audi autodesk bayer "
    "bloomberg bmw boeing booking bosch bytedance canva capgemini cisco citi cloudflare cognizant costco coinbase "
    "databricks datadog dell deloitte disney doordash dropbox ebay epic ericsson etsy expedia fedex ford gitlab github "
    "google grab groupon hp hsbc huawei hubspot ibm ikea infosys ing instacart intel intuit klarna kpmg lenovo lyft "
    "mastercard mckinsey mercedes meta micron microsoft mozilla netflix nike nintendo nokia novartis nvidia openai "
    "oracle palantir paypal pepsi pfizer philips pinterest pixar pwc qualcomm reddit revolut roche roku "
    "salesforce samsung sap shopee shopify siemens sky slack snap snapchat snowflake sony spacex spotify square stripe "
    "tata tencent tesla tiktok toyota twilio twitch twitter uber ubisoft unilever ups verizon visa vodafone volvo "
    "walmart wayfair wise workday xiaomi yahoo yelp zalando zendesk zillow zoom "
    "starbucks lego mcdonalds walgreens cvs chipotle aldi lidl tesco dhl delta hilton marriott ryanair lufthansa"
)
# Shops, restaurants, hotels, airlines and carriers, where one is a customer; and what is joined or quit on a screen.
_VISITED = (
    "costco ikea walmart target starbucks mcdonalds mcdonald's chipotle walgreens cvs aldi lidl tesco safeway "
    "kroger sainsbury's sainsburys asda waitrose morrisons greggs nando's nandos wendy's wendys subway kfc dunkin "
    "applebee's denny's dennys ihop popeyes taco burger whole trader sephora primark zara uniqlo h&m nordstrom "
    "macy's macys sam's lowe's lowes home best petco petsmart rei decathlon delta ryanair lufthansa united "
    "southwest easyjet jetblue emirates klm hilton marriott hyatt airbnb hertz fedex ups dhl usps zoom slack "
    "discord teams skype twitter reddit tiktok twitch snapchat snap pinterest facebook instagram linkedin whatsapp "
    "telegram signal tinder bumble hinge duolingo strava roblox fortnite minecraft yelp etsy groupon apple github "
    "gitlab peloton patreon substack"
)

PLAIN_GIVEN = frozenset(_GIVEN.split())
GIVEN = PLAIN_GIVEN | frozenset(_BOTH.split())
PETS = frozenset(_PETS.split())
PLACES = frozenset((*_PLACES.split(), *_PLACE_PAIRS.split("|")))
COMPANIES = frozenset(_COMPANIES.split())
WORD_NAMES = frozenset((*_BOTH.split(), *_WORD_GIVEN.split())) | (PETS - PLAIN_GIVEN - frozenset(_PLAIN_PETS.split()))
WORD_PLACES = frozenset(_WORD_PLACES.split())
VISITED = frozenset(_VISITED.split())
