//! The facts of the small world, as plain data: 28 animals, 16 countries, 14 pairs of adjectives in three languages, and
//! 30 rhyming couplet endings. Every name, answer, adjective and rhyme noun is one word, hence one token.

/// A thing that can be named, described and asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entity {
    /// The one-word name, without article.
    pub name: &'static str,
    /// Answers, in the order of the domain's relations.
    pub answers: &'static [&'static str],
    /// Four phrases that single this entity out, each fit to follow "the animal that".
    pub descriptors: [&'static str; 4],
}

/// One kind of question about an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relation {
    /// Name of the relation; it heads flash cards, so it is a word of the vocabulary.
    pub name: &'static str,
    /// Two ways to ask; `{x}` stands for the entity or its description and the answer comes next.
    pub questions: [&'static str; 2],
    /// The answer as a statement about "it"; `{a}` stands for the answer.
    pub fact: &'static str,
}

/// One of the two families of entities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Domain {
    /// "animal" or "country".
    pub kind: &'static str,
    /// Whether a name takes the article: "the spider", but "france".
    pub article: bool,
    /// The questions that can be asked.
    pub relations: &'static [Relation],
    /// The entities.
    pub entities: &'static [Entity],
}

impl Domain {
    /// The name as it stands in a sentence: "the spider" or "france".
    #[must_use]
    pub fn named(&self, entity: &Entity) -> String {
        if self.article {
            format!("the {}", entity.name)
        } else {
            entity.name.to_owned()
        }
    }

    /// Position of a relation in `relations` and in every entity's `answers`.
    #[must_use]
    pub fn relation(&self, name: &str) -> Option<usize> {
        self.relations
            .iter()
            .position(|relation| relation.name == name)
    }

    /// Position of an entity in `entities`.
    #[must_use]
    pub fn entity(&self, name: &str) -> Option<usize> {
        self.entities.iter().position(|entity| entity.name == name)
    }
}

/// Shorthand that keeps the tables one line per entry.
const fn entity(
    name: &'static str,
    answers: &'static [&'static str],
    descriptors: [&'static str; 4],
) -> Entity {
    Entity {
        name,
        answers,
        descriptors,
    }
}

const fn relation(
    name: &'static str,
    questions: [&'static str; 2],
    fact: &'static str,
) -> Relation {
    Relation {
        name,
        questions,
        fact,
    }
}

/// The animals.
pub const ANIMALS: Domain = Domain {
    kind: "animal",
    article: true,
    relations: &ANIMALS_RELATIONS,
    entities: &ANIMALS_TABLE,
};

#[rustfmt::skip]
const ANIMALS_RELATIONS: [Relation; 8] = [
    relation("legs", ["the number of legs on {x} is", "the legs of {x} number"], "it has {a} legs"),
    relation("cover", ["the body of {x} is covered in", "the cover of {x} is"], "it is covered in {a}"),
    relation("sound", ["the sound made by {x} is", "the sound of {x} is"], "it makes the sound {a}"),
    relation("home", ["the home of {x} is the", "{x} goes home to the"], "its home is the {a}"),
    relation("food", ["the food eaten by {x} is", "the food of {x} is"], "it eats {a}"),
    relation("color", ["the color of {x} is", "{x} has the color"], "its color is {a}"),
    relation("kind", ["the kind of {x} is", "the class of {x} is"], "its kind is {a}"),
    relation("place", ["the place to find {x} is the", "the land of {x} is the"], "it lives in the {a}"),
];

/// Answers in the order legs, cover, sound, home, food, color, kind, place.
#[rustfmt::skip]
const ANIMALS_TABLE: [Entity; 28] = [
    entity("spider", &["8", "hair", "nothing", "web", "flies", "black", "arachnid", "cellar"], ["spins webs", "traps flies", "climbs walls", "scares children"]),
    entity("ant", &["6", "shell", "nothing", "hill", "crumbs", "red", "insect", "garden"], ["carries crumbs", "builds hills", "bites toes", "follows trails"]),
    entity("bee", &["6", "fuzz", "buzz", "hive", "nectar", "yellow", "insect", "meadow"], ["makes honey", "visits flowers", "guards queens", "stings children"]),
    entity("fly", &["6", "fuzz", "hum", "rubbish", "rubbish", "black", "insect", "kitchen"], ["fears webs", "loves crumbs", "circles lamps", "bothers horses"]),
    entity("crab", &["10", "shell", "click", "hole", "weeds", "red", "crustacean", "beach"], ["pinches toes", "digs sand", "climbs rocks", "hides shells"]),
    entity("octopus", &["8", "skin", "nothing", "cave", "crabs", "purple", "mollusc", "ocean"], ["squirts ink", "hugs rocks", "opens jars", "hunts crabs"]),
    entity("shark", &["0", "skin", "nothing", "reef", "seals", "gray", "fish", "ocean"], ["hunts seals", "scares swimmers", "circles boats", "smells blood"]),
    entity("frog", &["4", "skin", "croak", "pond", "flies", "green", "amphibian", "pond"], ["catches flies", "visits lilies", "loves rain", "fears storks"]),
    entity("snake", &["0", "scales", "hiss", "burrow", "eggs", "green", "reptile", "desert"], ["steals eggs", "smells mice", "sheds skin", "crosses sand"]),
    entity("turtle", &["4", "shell", "nothing", "beach", "weeds", "green", "reptile", "beach"], ["buries eggs", "carries shells", "visits beaches", "outlives kings"]),
    entity("duck", &["2", "feathers", "quack", "nest", "bread", "white", "bird", "pond"], ["begs crumbs", "hides lilies", "circles ponds", "follows boats"]),
    entity("owl", &["2", "feathers", "hoot", "tree", "mice", "brown", "bird", "forest"], ["hunts mice", "circles barns", "fears lamps", "turns heads"]),
    entity("hen", &["2", "feathers", "cluck", "coop", "corn", "brown", "bird", "farm"], ["lays eggs", "leads chicks", "fears foxes", "pecks corn"]),
    entity("penguin", &["2", "feathers", "honk", "ice", "fish", "black", "bird", "pole"], ["hugs eggs", "fears seals", "catches fish", "slides ice"]),
    entity("parrot", &["2", "feathers", "words", "cage", "seeds", "green", "bird", "jungle"], ["repeats words", "rides pirates", "cracks shells", "climbs cages"]),
    entity("cow", &["4", "hide", "moo", "barn", "grass", "white", "mammal", "farm"], ["gives milk", "chews flowers", "scares flies", "rings bells"]),
    entity("horse", &["4", "hide", "neigh", "stable", "hay", "brown", "mammal", "farm"], ["pulls carts", "jumps fences", "carries kings", "loves apples"]),
    entity("sheep", &["4", "wool", "baa", "fold", "grass", "white", "mammal", "meadow"], ["gives wool", "follows shepherds", "climbs hills", "fears wolves"]),
    entity("pig", &["4", "skin", "oink", "sty", "apples", "pink", "mammal", "farm"], ["loves mud", "digs roots", "steals apples", "begs corn"]),
    entity("dog", &["4", "fur", "bark", "kennel", "bones", "brown", "mammal", "house"], ["buries bones", "guards barns", "leads shepherds", "chases foxes"]),
    entity("cat", &["4", "fur", "meow", "basket", "fish", "gray", "mammal", "house"], ["chases mice", "drinks milk", "breaks jars", "fears rain"]),
    entity("mouse", &["4", "fur", "squeak", "hole", "cheese", "gray", "mammal", "kitchen"], ["steals corn", "chews ropes", "fears cats", "scares elephants"]),
    entity("lion", &["4", "fur", "roar", "den", "zebras", "yellow", "mammal", "savanna"], ["hunts zebras", "rules beasts", "chases horses", "breaks bones"]),
    entity("elephant", &["4", "hide", "trumpet", "plains", "leaves", "gray", "mammal", "savanna"], ["fears mice", "squirts water", "pulls trees", "carries queens"]),
    entity("bear", &["4", "fur", "growl", "cave", "honey", "brown", "mammal", "forest"], ["steals honey", "catches salmon", "hugs trees", "breaks doors"]),
    entity("monkey", &["4", "fur", "chatter", "tree", "bananas", "brown", "mammal", "jungle"], ["climbs trees", "steals hats", "swings ropes", "peels bananas"]),
    entity("beaver", &["4", "fur", "slap", "lodge", "bark", "brown", "mammal", "river"], ["builds dams", "chews trees", "slaps water", "crosses ponds"]),
    entity("whale", &["0", "blubber", "song", "sea", "plankton", "blue", "mammal", "ocean"], ["tips boats", "sprays water", "sings songs", "loves swimmers"]),
];

/// The countries.
pub const COUNTRIES: Domain = Domain {
    kind: "country",
    article: false,
    relations: &COUNTRIES_RELATIONS,
    entities: &COUNTRIES_TABLE,
};

#[rustfmt::skip]
const COUNTRIES_RELATIONS: [Relation; 5] = [
    relation("capital", ["the capital of {x} is", "the main city of {x} is"], "its capital is {a}"),
    relation("language", ["the language of {x} is", "people in {x} speak"], "its people speak {a}"),
    relation("continent", ["the continent of {x} is", "{x} lies in"], "it lies in {a}"),
    relation("currency", ["the currency of {x} is the", "people in {x} pay with the"], "its money is the {a}"),
    relation("dish", ["the dish of {x} is", "people in {x} eat"], "its people eat {a}"),
];

/// Answers in the order capital, language, continent, currency, dish.
#[rustfmt::skip]
const COUNTRIES_TABLE: [Entity; 16] = [
    entity("france", &["paris", "french", "europe", "euro", "cheese"], ["bakes baguettes", "built the eiffel tower", "loves snails", "makes champagne"]),
    entity("italy", &["rome", "italian", "europe", "lira", "pasta"], ["looks like a boot", "built the colosseum", "bakes pizza", "rows gondolas"]),
    entity("germany", &["berlin", "german", "europe", "mark", "sausages"], ["brews beer", "makes fast cars", "broke the wall", "wears leather"]),
    entity("spain", &["madrid", "spanish", "europe", "peseta", "paella"], ["fights bulls", "dances flamenco", "sails armadas", "naps at noon"]),
    entity("greece", &["athens", "greek", "europe", "drachma", "olives"], ["built the parthenon", "started the olympics", "presses olives", "sails islands"]),
    entity("england", &["london", "english", "europe", "pound", "pudding"], ["drinks tea", "built the big clock", "crowns a queen", "plays cricket"]),
    entity("russia", &["moscow", "russian", "europe", "ruble", "soup"], ["dances ballet", "drinks vodka", "launched the first rocket", "wears fur hats"]),
    entity("china", &["beijing", "chinese", "asia", "yuan", "rice"], ["built the great wall", "invented paper", "feeds pandas", "makes silk"]),
    entity("japan", &["tokyo", "japanese", "asia", "yen", "sushi"], ["wears kimonos", "makes fast trains", "folds paper", "trains samurai"]),
    entity("india", &["delhi", "hindi", "asia", "rupee", "curry"], ["built the taj mahal", "honors cows", "plays sitars", "wears saris"]),
    entity("egypt", &["cairo", "arabic", "africa", "piastre", "beans"], ["built the pyramids", "wraps mummies", "rides camels", "sails the nile"]),
    entity("kenya", &["nairobi", "swahili", "africa", "shilling", "maize"], ["runs marathons", "hosts safaris", "grows coffee", "counts lions"]),
    entity("mexico", &["mexicocity", "spanish", "america", "peso", "tacos"], ["wears sombreros", "grows cactus", "built the sun temple", "drinks tequila"]),
    entity("brazil", &["brasilia", "portuguese", "america", "real", "beef"], ["dances samba", "plays football", "grows rubber", "crosses the amazon"]),
    entity("canada", &["ottawa", "english", "america", "dollar", "syrup"], ["plays hockey", "taps maples", "crosses the snow", "counts moose"]),
    entity("peru", &["lima", "spanish", "america", "sol", "potatoes"], ["raises llamas", "built the lost city", "drew giant lines", "climbs andes"]),
];

/// Adjectives as `[english, french, chinese]`. The opposite of concept `i` is concept `i ^ 1`.
#[rustfmt::skip]
pub const CONCEPTS: [[&str; 3]; 28] = [
    ["big", "grande", "大"], ["small", "petite", "小"],
    ["long", "longue", "长"], ["short", "courte", "短"],
    ["high", "haute", "高"], ["low", "basse", "低"],
    ["hot", "chaude", "热"], ["cold", "froide", "冷"],
    ["fast", "rapide", "快"], ["slow", "lente", "慢"],
    ["old", "vieille", "旧"], ["new", "neuve", "新"],
    ["strong", "forte", "强"], ["weak", "faible", "弱"],
    ["full", "pleine", "满"], ["empty", "vide", "空"],
    ["hard", "dure", "硬"], ["soft", "molle", "软"],
    ["dry", "seche", "干"], ["wet", "mouillee", "湿"],
    ["rich", "riche", "富"], ["poor", "pauvre", "穷"],
    ["clean", "propre", "净"], ["dirty", "sale", "脏"],
    ["thick", "epaisse", "厚"], ["thin", "mince", "薄"],
    ["wide", "large", "宽"], ["narrow", "etroite", "窄"],
];

/// Names of the three languages, in the order used by [`CONCEPTS`].
pub const LANGUAGES: [&str; 3] = ["english", "french", "chinese"];

/// Things that adjectives are said of, in the three languages, in parallel.
#[rustfmt::skip]
pub const OBJECTS: [[&str; 3]; 10] = [
    ["house", "maison", "房子"],
    ["road", "route", "路"],
    ["river", "riviere", "河"],
    ["box", "boite", "盒子"],
    ["door", "porte", "门"],
    ["coat", "veste", "衣服"],
    ["cup", "tasse", "杯子"],
    ["stone", "pierre", "石头"],
    ["bed", "lit", "床"],
    ["ship", "barque", "船"],
];

/// A theme of couplets: its two subjects and, in the order of [`SOUNDS`], the rhyme it calls for with each sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// Name of the theme (not a word of any text).
    pub name: &'static str,
    /// Who line 1 is about.
    pub subjects: [&'static str; 2],
    /// One ending per sound.
    pub endings: [Ending; 6],
}

/// The end of line 2: "to VERB the ADJECTIVE NOUN".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    /// The rhyme word.
    pub noun: &'static str,
    /// The verb that goes with this noun.
    pub verb: &'static str,
    /// The adjective that goes with this noun.
    pub adjective: &'static str,
}

/// A rhyme sound and the three ends of line 1 that have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sound {
    /// The spelling of the sound in English, roughly (not a word of any text).
    pub name: &'static str,
    /// Ends of line 1; the last word carries the sound.
    pub cues: [&'static str; 3],
}

const fn ending(verb: &'static str, adjective: &'static str, noun: &'static str) -> Ending {
    Ending {
        noun,
        verb,
        adjective,
    }
}

/// The rhyme sounds.
#[rustfmt::skip]
pub const SOUNDS: [Sound; 6] = [
    Sound { name: "ight", cues: ["woke at night", "held on tight", "dressed in white"] },
    Sound { name: "ay", cues: ["walked away", "knelt to pray", "wore gray"] },
    Sound { name: "ee", cues: ["bent a knee", "counted to three", "turned the key"] },
    Sound { name: "ain", cues: ["spoke again", "used the brain", "crossed the lane"] },
    Sound { name: "ing", cues: ["heard them sing", "learned to cling", "took everything"] },
    Sound { name: "ore", cues: ["wanted more", "ate an apple core", "counted to four"] },
];

/// The themes.
#[rustfmt::skip]
pub const THEMES: [Theme; 5] = [
    Theme { name: "war", subjects: ["soldier", "knight"], endings: [
        ending("join", "coming", "fight"),
        ending("enter", "bloody", "fray"),
        ending("obey", "royal", "decree"),
        ending("bear", "bitter", "pain"),
        ending("serve", "mighty", "king"),
        ending("guard", "iron", "door"),
    ] },
    Theme { name: "farm", subjects: ["farmer", "peasant"], endings: [
        ending("greet", "morning", "light"),
        ending("stack", "yellow", "hay"),
        ending("plant", "apple", "tree"),
        ending("cut", "ripened", "grain"),
        ending("await", "early", "spring"),
        ending("fill", "winter", "store"),
    ] },
    Theme { name: "sea", subjects: ["sailor", "captain"], endings: [
        ending("scale", "dizzy", "height"),
        ending("reach", "quiet", "bay"),
        ending("cross", "salty", "sea"),
        ending("drop", "rusty", "chain"),
        ending("tie", "knotted", "string"),
        ending("seek", "sandy", "shore"),
    ] },
    Theme { name: "play", subjects: ["girl", "boy"], endings: [
        ending("fly", "paper", "kite"),
        ending("watch", "funny", "play"),
        ending("pour", "minty", "tea"),
        ending("ride", "wooden", "train"),
        ending("push", "garden", "swing"),
        ending("sweep", "dusty", "floor"),
    ] },
    Theme { name: "art", subjects: ["poet", "singer"], endings: [
        ending("praise", "lovely", "sight"),
        ending("welcome", "golden", "day"),
        ending("write", "tender", "plea"),
        ending("hear", "gentle", "rain"),
        ending("wear", "silver", "ring"),
        ending("learn", "ancient", "lore"),
    ] },
];

/// People who see, dream and say things.
pub const NAMES: [&str; 6] = ["mia", "tom", "anna", "ben", "lily", "max"];
